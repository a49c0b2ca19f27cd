/** The words for true and false, as people and spreadsheets of several languages write them, in lower case. */
const usual = [
  'true/false',
  '1/0',
  'yes/no',
  'y/n',
  'ja/nein',
  'j/n',
  'wahr/falsch',
  'oui/non',
  'vrai/faux',
  'active/suspended',
  'active/inactive',
  'enabled/disabled',
  'aktiv/inaktiv',
];

/** @param text `an/aus` @returns undefined unless it is two different words; the second may be empty */
export function parseBooleans(text: string): readonly [string, string] | undefined {
  const [yes = '', no, ...more] = text.split('/').map((word) => word.trim());
  const isWrong = yes === '' || no === undefined || more.length > 0 || yes.toLowerCase() === no.toLowerCase();
  return isWrong ? undefined : [yes, no];
}

export class BooleanWords {
  readonly #values: ReadonlyMap<string, boolean>;
  /** The words that were read. */
  readonly seen = new Set<string>();

  /** @param own a word for true and one for false, which may be empty; they come before the usual words */
  constructor(own?: readonly [string, string]) {
    const pairs = [...usual.map((pair) => pair.split('/')), ...(own === undefined ? [] : [own])];
    this.#values = new Map(
      pairs.flatMap(([yes = '', no = '']) => [
        [yes.toLowerCase(), true],
        [no.toLowerCase(), false],
      ]),
    );
  }

  /** True if an empty cell is one of the words. */
  get hasEmpty(): boolean {
    return this.#values.has('');
  }

  /** Ignores case and white space around the word. @returns the cell itself if it is no such word */
  read(cell: string): boolean | string {
    const word = cell.trim().toLowerCase();
    const value = this.#values.get(word);
    if (value === undefined) return cell;
    this.seen.add(word);
    return value;
  }
}
