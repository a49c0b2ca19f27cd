/**
 * A UUID of version 7 (RFC 9562 §5.7): it begins with the time, so that new users are at the end of the list. Choosing it here makes
 * a POST safe to repeat. `crypto.randomUUID` exists only over https.
 */
export function newId(now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let at = 0; at < 6; at++) bytes[at] = Math.floor(now / 256 ** (5 - at)) % 256;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
