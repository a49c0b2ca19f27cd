/** Files that something has spoilt: the same ones each time, for the same seed. */

/** Numbers in [0, 1), evenly spread: mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What is put in somewhere, for any of the formats. */
const splinters = [
  '"',
  '""',
  "'",
  ',',
  ';',
  '\t',
  '|',
  '\\',
  '\r',
  '\n',
  '\r\n',
  '\0',
  '\uFEFF',
  '\uFFFE',
  '{',
  '}',
  '[',
  ']',
  ':',
  '<',
  '>',
  '</',
  '/>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?x ?>',
  '<!DOCTYPE users>',
  '&lt;',
  '&x;',
  '__proto__',
  '$rejected',
  '{"$rejected":{}}',
  '"{""line"":1,""column"":1,""errors"":[]}"',
  'null',
  '1e999',
  '\u2028',
];

type Change = (bytes: Buffer, random: () => number) => Buffer;

const place = (bytes: Buffer, random: () => number): number => Math.floor(random() * (bytes.length + 1));

const changes: readonly Change[] = [
  function flipBits(bytes, random) {
    const changed = Buffer.from(bytes);
    const at = place(bytes, random);
    if (at < changed.length) changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    return changed;
  },
  function replaceByte(bytes, random) {
    const changed = Buffer.from(bytes);
    const at = place(bytes, random);
    if (at < changed.length) changed[at] = Math.floor(random() * 256);
    return changed;
  },
  function cutOff(bytes, random) {
    return bytes.subarray(0, place(bytes, random));
  },
  function takeOut(bytes, random) {
    const from = place(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + Math.floor(random() * 40))]);
  },
  function double(bytes, random) {
    const from = place(bytes, random);
    const to = from + Math.floor(random() * 400);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  function move(bytes, random) {
    const [from, to] = [place(bytes, random), place(bytes, random)];
    const piece = bytes.subarray(from, from + Math.floor(random() * 100));
    return Buffer.concat([bytes.subarray(0, to), piece, bytes.subarray(to)]);
  },
  function putIn(bytes, random) {
    const at = place(bytes, random);
    const splinter = splinters[Math.floor(random() * splinters.length)] ?? '';
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(splinter), bytes.subarray(at)]);
  },
];

/** One to five changes. */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  let changed = bytes;
  for (let left = 1 + Math.floor(random() * 5); left > 0; left -= 1) {
    // Half of them put something in: the others seldom leave anything that can be read on.
    const change = changes[Math.min(changes.length - 1, Math.floor(random() * changes.length * 1.8))];
    changed = change?.(changed, random) ?? changed;
  }
  return changed;
}
