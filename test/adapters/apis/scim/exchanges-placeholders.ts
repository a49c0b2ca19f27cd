/** What nobody can know beforehand in a recorded exchange: `{{id ada}}` stands for it, the same value wherever it stands. */

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const kinds: Readonly<Record<string, string>> = {
  id: uuid,
  time: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z',
  /** A strong tag, with its quotation marks. */
  version: '"[\\x21\\x23-\\x7e]+"',
  /** A version as /users shows it. */
  opaque: '[\\x21\\x23-\\x3b\\x3d-\\x7e]+',
};
/** Of which two names never have one value. */
const isUnique = (name: string): boolean => !name.startsWith('time ');

const placeholder = /\{\{([^}]+)\}\}/g;
const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

export class Placeholders {
  readonly #values: Map<string, string>;
  /** The other way round. */
  readonly #names = new Map<string, string>();

  /** @param known by name, such as `url` */
  constructor(known: Readonly<Record<string, string>> = {}) {
    this.#values = new Map(Object.entries(known));
  }

  /** @throws Error for a name that has no value yet */
  value(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`${name} is not known yet`);
    return value;
  }

  /** The value with every placeholder replaced, in texts at any depth. @throws Error as `value` does */
  fill<T>(value: T): T;
  fill(value: unknown): unknown {
    if (typeof value === 'string') return value.replace(placeholder, (_, name: string) => this.value(name));
    if (Array.isArray(value)) return value.map((item: unknown) => this.fill(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.fill(inner)]));
  }

  /**
   * What was expected, with the values of `actual` where they aren't known yet and fit. A placeholder stays where nothing fits, so that
   * comparing the two shows it.
   */
  learn(expected: unknown, actual: unknown): unknown {
    if (typeof expected === 'string') return this.#learnText(expected, actual);
    if (Array.isArray(expected)) {
      const items: readonly unknown[] = Array.isArray(actual) ? actual : [];
      return expected.map((item: unknown, index) => this.learn(item, items[index]));
    }
    if (typeof expected !== 'object' || expected === null) return expected;
    const members = new Map(Object.entries(actual ?? {}));
    return Object.fromEntries(
      Object.entries(expected).map(([name, inner]) => [name, this.learn(inner, members.get(name))]),
    );
  }

  #learnText(expected: string, actual: unknown): string {
    const names: string[] = [];
    const pattern = expected
      .split(placeholder)
      .map((piece, index) => (index % 2 === 0 ? escapePattern(piece) : this.#patternOf(piece, names)))
      .join('');
    const found = typeof actual === 'string' ? new RegExp(`^${pattern}$`).exec(actual) : null;
    for (const [index, name] of names.entries()) this.#keep(name, found?.[index + 1]);
    return expected.replace(placeholder, (whole, name: string) => this.#values.get(name) ?? whole);
  }

  /** @param names gets those that the pattern captures */
  #patternOf(name: string, names: string[]): string {
    const known = this.#values.get(name);
    if (known !== undefined) return escapePattern(known);
    const kind = kinds[name.split(' ')[0] ?? ''];
    if (kind === undefined) throw new Error(`there is no kind of ${name}`);
    if (names.includes(name)) return `\\${names.indexOf(name) + 1}`;
    names.push(name);
    return `(${kind})`;
  }

  #keep(name: string, value: string | undefined): void {
    if (value === undefined) return;
    const other = isUnique(name) ? (this.#names.get(value) ?? name) : name;
    if (other !== name) throw new Error(`${name} is the same as ${other}: ${value}`);
    this.#names.set(value, name);
    this.#values.set(name, value);
  }
}
