/** What the linters are shown: requests to every endpoint in every format, errors included. */
/** Header fields by name. */
export type Fields = Readonly<Record<string, string>>;
/** A method, a path, fields and a body. */
type Asked = readonly [method: string, path: string, fields?: Fields, body?: string];

/** The media types that answers are asked for in. */
export const formats = { json: 'application/json', xml: 'application/xml', text: 'text/xml' };
const unknown = '/users/00000000-0000-7000-8000-000000000000';

/** A user in each format as a client would send it. */
export const bodyOf = (type: string, userName: string): string =>
  type === formats.json ? JSON.stringify({ userName }) : `<user><userName>${userName}</userName></user>`;

/** Every endpoint in one format, errors included, in an order that gives each the intended response. */
export function requestsFor(
  type: string,
  path: string,
  tags: readonly string[],
  good: Fields,
  poor: Fields,
): Asked[] {
  const read = { ...good, accept: type };
  const write = { ...read, 'content-type': type };
  const [tag = '', listTag = '', date = ''] = tags;
  const name = `linted-${type.replace(/\W/g, '-')}`;
  return [
    ['GET', path, read],
    ['HEAD', path, read],
    ['GET', path, { ...read, 'if-none-match': tag }],
    ['HEAD', path, { ...read, 'if-none-match': tag }],
    ['GET', path, { ...read, 'if-modified-since': date }],
    ['GET', '/users', read],
    ['HEAD', '/users', read],
    ['GET', '/users', { ...read, 'if-none-match': listTag }],
    ['GET', '/users?limit=1', read],
    ['GET', '/users?search=a&sort=-userName&limit=1&total=true', read],
    ['GET', '/users?limit=1&after=x', read],
    ['GET', '/users?nobody=x', read],
    ['GET', '/users?userName=nobody', read],
    ['GET', unknown, read],
    ['HEAD', unknown, read],
    ['GET', '/users/one/two', read],
    ['GET', path, { accept: type }],
    ['GET', path, { ...read, authorization: 'Bearer wrong' }],
    ['GET', path, { ...read, ...poor }],
    ['POST', '/users', write, bodyOf(type, name)],
    ['POST', '/users', write, bodyOf(type, name)],
    ['POST', '/users', write, '<{'],
    ['POST', '/users', write, bodyOf(type, 'two words')],
    ['POST', '/users', { ...write, 'content-type': 'text/plain' }, 'text'],
    ['POST', '/users', { ...write, 'content-encoding': 'compress' }, 'text'],
    ['POST', '/users', write, ' '.repeat(300_000)],
    ['PATCH', path, write, bodyOf(type, `${name}-patched`)],
    ['PATCH', path, { ...write, 'content-type': 'text/plain' }, 'text'],
    ['PUT', path, { ...write, 'if-match': '"another"' }, bodyOf(type, name)],
    ['PUT', path, { ...write, 'if-match': 'another' }, bodyOf(type, name)],
    ['PUT', path, write, bodyOf(type, `${name}-put`)],
    ['PUT', unknown, write, bodyOf(type, name)],
    ['TRACE', '/users', read],
    ['DELETE', '/users', read],
    ['OPTIONS', '/users', read],
    ['OPTIONS', path, read],
    ['DELETE', path, { ...read, 'if-match': '"another"' }],
    ['DELETE', path, read],
    ['GET', '/access', read],
    ['GET', '/webhooks', read],
    ['GET', '/health/live', { accept: type }],
    ['GET', '/health/ready', { accept: type }],
  ];
}
