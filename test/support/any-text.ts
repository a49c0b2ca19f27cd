/** Texts by chance. */
import fc from 'fast-check';

/** Halves of a pair are no characters. */
const halves = { from: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, assigned or not. fast-check's unit `binary` is the same, and keeps a map of all 1,112,064 of them in each process: two
 * seconds of CPU time, and 100 MiB that each collection of garbage passes through.
 */
export const anyCharacter = fc.nat(0x10ffff - halves.count).map(
  (at) => String.fromCodePoint(at < halves.from ? at : at + halves.count),
  (text) => {
    const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (point === undefined || text !== String.fromCodePoint(point)) throw new Error('more than a character');
    return point < halves.from ? point : point - halves.count;
  },
);

/** Any characters, 10 at most unless `size` says otherwise. */
export const anyText = (lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.string({ ...lengths, unit: anyCharacter });
