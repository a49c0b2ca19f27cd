/** Answers read out of the bytes of a connection, to the letter of RFC 9112: what a lenient parser would pass over is an error. */
import { type Exchange, type Fields, report } from './exchanges.ts';
import { converse } from './sockets.ts';

const line = /^HTTP\/(1\.[01]) (\d{3}) ([\t \x21-\x7e]*)$/;
const field = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/** @throws Error for a line that isn't a field */
function fieldsIn(lines: readonly string[]): Fields {
  return lines.map((text) => {
    const [, name, value] = field.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new Error(`not a field: ${JSON.stringify(text)}`);
    return [name, value] as const;
  });
}

const fieldValue = (fields: Fields, name: string): string | undefined =>
  fields.find(([other]) => other.toLowerCase() === name)?.[1];

/** A chunked body from `at` (RFC 9112 §7.1), and where it ends; undefined when it isn't whole. */
function unchunked(received: string, at: number): { body: string; end: number } | undefined {
  let body = '';
  for (let from = at; ; ) {
    const size = /^([0-9a-f]+)\r\n/i.exec(received.slice(from, from + 20));
    if (size?.[1] === undefined) return undefined;
    const length = Number.parseInt(size[1], 16);
    const start = from + size[0].length;
    if (received.slice(start + length, start + length + 2) !== '\r\n') return undefined;
    if (length === 0) return { body, end: start + 2 };
    body += received.slice(start, start + length);
    from = start + length + 2;
  }
}

/** @throws Error when the body isn't whole */
function bodyAt(received: string, at: number, method: string, status: number, fields: Fields) {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return { body: '', end: at };
  const length = fieldValue(fields, 'content-length');
  const found =
    fieldValue(fields, 'transfer-encoding') === 'chunked'
      ? unchunked(received, at)
      : { body: received.slice(at), end: received.length };
  if (length !== undefined) {
    const end = at + Number(length);
    if (end <= received.length) return { body: received.slice(at, end), end };
  } else if (found !== undefined) return found;
  throw new Error(`the body is not whole: ${JSON.stringify(received.slice(at, at + 200))}`);
}

function requestIn(text: string): Pick<Exchange, 'method' | 'target' | 'requestHeaders'> {
  const [first = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  // A request may be as wrong as it likes.
  const headers = lines.flatMap((each): Fields => (field.test(each) ? fieldsIn([each]) : []));
  return { method, target, requestHeaders: headers };
}

/**
 * Reads the answers to these requests, in order, interim ones (1xx) as well, out of all that a connection received, in Latin-1.
 * @throws Error where it isn't HTTP, an answer isn't whole, or something comes after the last
 */
export function answersIn(received: string, requests: readonly string[]): Exchange[] {
  const answers: Exchange[] = [];
  const asked = requests.map(requestIn);
  let at = 0;
  for (let index = 0; at < received.length; ) {
    const head = received.indexOf('\r\n\r\n', at);
    const [first = '', ...lines] = received.slice(at, head === -1 ? undefined : head).split('\r\n');
    const [, httpVersion, code, reason] = line.exec(first) ?? [];
    const request = asked[index];
    if (head === -1 || httpVersion === undefined || reason === undefined || request === undefined)
      throw new Error(`no answer to a request: ${JSON.stringify(received.slice(at, at + 200))}`);
    const status = Number(code);
    const headers = fieldsIn(lines);
    const { body, end } = bodyAt(received, head + 4, request.method, status, headers);
    answers.push({ ...request, httpVersion, status, reason, headers, body: Buffer.from(body, 'latin1') });
    at = end;
    if (status >= 200) index += 1;
  }
  return answers;
}

/**
 * Sends the requests all at once on a connection of its own, as they stand in Latin-1, and resolves with the answers once the
 * service has closed it.
 * @throws Error as answersIn does
 */
export async function answersTo(url: string, ...requests: readonly string[]): Promise<Exchange[]> {
  const answers = answersIn(await converse(url, requests.join('')), requests);
  for (const answer of answers) report(answer);
  return answers;
}
