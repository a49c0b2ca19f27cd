/**
 * Replaces Node's `Buffer` in a page, for the packages that use it; has only what the readers of files use. Import it before them. As a global, it
 * is loaded with them only: esbuild would add an injected file to every part of the page (700 bytes, compressed).
 */
const decodeLatin1 = (bytes: Uint8Array): string => {
  let text = '';
  // A call takes a limited number of arguments.
  for (let from = 0; from < bytes.length; from += 8192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return text;
};

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

class PageBuffer extends Uint8Array {
  override toString(encoding = 'utf8', start = 0, end = this.length): string {
    const bytes = this.subarray(start, end);
    if (encoding === 'hex') return toHex(bytes);
    return encoding === 'latin1' ? decodeLatin1(bytes) : new TextDecoder().decode(bytes);
  }
}

/** @param source an ArrayBuffer is used without a copy, as in Node */
const from = (source: ArrayBuffer, start = 0, length = source.byteLength - start): PageBuffer =>
  new PageBuffer(source, start, length);

function concat(pieces: readonly Uint8Array[]): PageBuffer {
  const whole = new PageBuffer(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const utf8 = new TextEncoder();

const inPage = {
  from,
  concat,
  alloc: (length: number): PageBuffer => new PageBuffer(length),
  of: (...bytes: number[]): PageBuffer => concat([Uint8Array.of(...bytes)]),
  byteLength: (text: string): number => utf8.encode(text).length,
};

Object.assign(globalThis, { Buffer: globalThis.Buffer ?? inPage });
