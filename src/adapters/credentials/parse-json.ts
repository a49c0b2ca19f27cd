/** @throws Error without the parser's own message, which would quote the text: it may hold a secret or a private key */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('not JSON');
  }
}
