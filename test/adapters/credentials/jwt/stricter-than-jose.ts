/** Tokens that jose accepts and the service refuses. */
import { createHmac } from 'node:crypto';
import { secret } from './arbitrary-tokens.ts';
import { audience, claims } from './tokens.ts';

const strictly = (part: string) => Buffer.from(part, 'base64url').toString('base64url') === part;
const read = (part = '') => JSON.parse(new TextDecoder().decode(Buffer.from(part, 'base64url')));
const byteOrderMark = (part = '') => Buffer.from(part, 'base64url').indexOf('\ufeff') === 0;

/** Where more is asked here than jose asks: the whole list. */
export function isStricterHere(token: string): boolean {
  const [header, payload] = token.split('.');
  if (token.length > 8_192 || !token.split('.').every(strictly)) return true;
  if (byteOrderMark(header) || byteOrderMark(payload) || 'crit' in read(header)) return true;
  const sent = read(payload);
  const isIdToken = 'at_hash' in sent;
  const isList = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string');
  const isWrong = (value: unknown) => value !== undefined && typeof value !== 'string';
  return (
    isIdToken ||
    isWrong(sent.scope) ||
    [sent.scp, sent.aud].some((value) => isWrong(value) && !isList(value)) ||
    [sent.exp, sent.nbf, sent.iat].some((time) => Math.abs(time) === Number.POSITIVE_INFINITY)
  );
}

/** Signed with the secret as they are. */
function signed(payload: string, header = '{"alg":"HS256","typ":"at+jwt"}'): string {
  const input = [header, payload].map((part) => Buffer.from(part).toString('base64url')).join('.');
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}
const claiming = (more: object) => signed(JSON.stringify({ ...claims, ...more }));
const usualClaims = JSON.stringify(claims);

/** One for each line of `isStricterHere`. */
export const stricterTokens: Readonly<Record<string, string>> = {
  'is longer than 8,192 characters': claiming({ more: 'x'.repeat(8_192) }),
  'ends in padding': `${claiming({})}=`,
  'has a byte order mark in front of its header': signed(usualClaims, '\ufeff{"alg":"HS256","typ":"at+jwt"}'),
  'has a byte order mark in front of its claims': signed(`\ufeff${usualClaims}`),
  'has a critical extension': signed(usualClaims, '{"alg":"HS256","typ":"at+jwt","crit":["b64"],"b64":true}'),
  'is an ID token': claiming({ at_hash: 'x' }),
  'has a scope that is no text': claiming({ scope: 7 }),
  'has an scp that is no list of texts': claiming({ scp: ['users:read', 7] }),
  'has an aud that is no list of texts': claiming({ aud: [audience, 7] }),
  'never expires': signed(usualClaims.replace(/"exp":\d+/, '"exp":1e999')),
};
