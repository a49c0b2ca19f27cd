/** Writes, from nothing but the schema, the program that notes where a user's cells stand in canonical JSON. */
import type { Layout } from './csv-transcode-layout.ts';
import { comesNext, enter, keyOf, leave } from './transcode-source.ts';

const finish = 'return at;';

/** Members of an object that one number has bits for. */
const bitsOfNumber = 31;

/** Writes functions, each of which takes the place where it begins to read and its first slot, and returns the place where it ends. */
class ProgramWriter {
  readonly parts: string[] = [];

  /** An expression that notes what comes next, and is the place behind it. */
  note(layout: Layout, slot: string): string {
    const methods = { value: 'note', values: 'noteList', map: 'noteMap', other: 'refuse' } as const;
    const is = layout.is;
    if (is !== 'object' && is !== 'list') return `cursor.${methods[is]}(at, ${slot})`;
    const body = is === 'object' ? this.#object(layout) : this.#list(layout);
    const name = `note${this.parts.length + 1}`;
    this.parts.push(`function ${name}(start, first) { let at = start; ${body} }`);
    return `${name}(at, ${slot})`;
  }

  /** Looks for members in their order; those that stand behind a later one are found when it looks once more. */
  #object({ members }: Extract<Layout, { is: 'object' }>): string {
    const found = Array.from(
      { length: Math.ceil(members.size / bitsOfNumber) },
      (_, index) => `found${index}`,
    );
    const steps = [...members].map(([name, { offset, layout }], index) => {
      const bits = found[Math.floor(index / bitsOfNumber)];
      const bit = 2 ** (index % bitsOfNumber);
      // Of a member that stands there twice, JSON.parse knows which counts.
      return `
        if (${comesNext(keyOf(name))}) {
          if ((${bits} & ${bit}) !== 0) throw unexpected;
          ${bits} |= ${bit};
          at += ${Buffer.byteLength(keyOf(name))};
          at = ${this.note(layout, `first + ${offset}`)};
          ${leave('}', finish)}
        }`;
    });
    return `${enter('{', '}', finish)}
      ${found.map((bits) => `let ${bits} = 0;`).join(' ')}
      for (let before = -1; before !== at;) {
        before = at;
        ${steps.join('')}
      }
      throw unexpected;`;
  }

  #list({ item, maxItems }: Extract<Layout, { is: 'list' }>): string {
    return `${enter('[', ']', finish)}
      for (let count = 0, slot = first; count < ${maxItems}; count += 1, slot += ${item.size}) {
        at = ${this.note(item, 'slot')};
        ${leave(']', finish)}
      }
      throw unexpected;`;
  }
}

/**
 * The body of a function of a `NoteCursor` and its `input`, of a view `from` of that, and of the error `unexpected`. It returns a function
 * that notes the document at a place in the input, and returns the place behind it; it throws when something isn't as expected.
 */
export function writeProgram(layout: Layout): string {
  const writer = new ProgramWriter();
  const root = writer.note(layout, '0');
  return `${writer.parts.join('\n')}
    return (at) => ${root};`;
}
