/**
 * Writes a transcoder's program, in JavaScript, from nothing but the schema: four bytes are compared or copied at a time, and with their
 * values in the program that takes two thirds of the time that a program takes that reads them from tables.
 */
import type { TObject, TSchema } from 'typebox';
import { type Kind, kindOf } from './xml-shape.ts';

/** In bytes, of what is compared or copied at once. */
const word = 4;

const places = (text: string): number[] =>
  Array.from({ length: Math.ceil(Buffer.byteLength(text) / word) }, (_, index) => index * word);

const wordAt = (text: string, place: number): number =>
  Buffer.concat([Buffer.from(text), Buffer.alloc(word)]).readInt32LE(place);

/** Of a map: the names of one with more aren't compared. */
const maxEntries = 64;

/** A statement that prints a text. It may write up to three bytes too many, over which the next one is written. */
function put(text: string): string {
  const words = places(text).map((place) => `to.setInt32(end + ${place}, ${wordAt(text, place)}, true);`);
  return `${words.join(' ')} end += ${Buffer.byteLength(text)};`;
}

/** A condition: a text of four bytes or more comes next. Where its length is no multiple of four the last two words overlap. */
function comesNext(text: string): string {
  const last = Buffer.byteLength(text) - word;
  const words = places(text).map((place) => Math.min(place, last));
  return words.map((place) => `from.getInt32(at + ${place}, true) === ${wordAt(text, place)}`).join(' && ');
}

const byte = (character: string): number => character.charCodeAt(0);

/** Statements that go past the mark in front, or return when nothing is in it. */
const enter = (open: string, close: string): string => `
  if (input[at] !== ${byte(open)}) throw unexpected;
  at += 1;
  if (input[at] === ${byte(close)}) { cursor.at = at + 1; return end; }`;

/** Statements that go past a comma, or return behind the mark at the end. */
const leave = (close: string, finish = ''): string => `
  if (input[at] !== ${byte(',')}) {
    if (input[at] !== ${byte(close)}) throw unexpected;
    cursor.at = at + 1;
    ${finish}
    return end;
  }
  at += 1;`;

/** Writes functions, each of which takes the place where it begins to print, and returns the one where it ends. */
class ProgramWriter {
  readonly parts: string[] = [];
  #functions = 0;
  #arrays = 0;

  /** @returns the function's name */
  write(kind: Exclude<Kind, { is: 'value' }>): string {
    const body = kind.is === 'object' ? this.#object(kind.members) : this.#entries(kind);
    this.#functions += 1;
    const name = `print${this.#functions}`;
    this.parts.push(`function ${name}(start) {
      let at = cursor.at;
      let end = start;
      ${body}
    }`);
    return name;
  }

  /** Statements that print what comes next. */
  #print(schema: TSchema): string {
    const kind = kindOf(schema);
    const call = kind.is === 'value' ? 'cursor.putValue(end)' : `${this.write(kind)}(end)`;
    return `cursor.at = at; end = ${call}; at = cursor.at;`;
  }

  /** Looks for members in their order; those that stand behind a later one are found when it looks once more. */
  #object(members: ReadonlyMap<string, TSchema>): string {
    const found = this.#array(members.size);
    const starts = this.#array(members.size + 1);
    const key = (name: string): string => `${JSON.stringify(name)}:`;
    const steps = [...members].map(
      ([name, member], index) => `
        if (${comesNext(key(name))}) {
          ${found}[count] = ${index}; ${starts}[count] = end; count += 1;
          at += ${Buffer.byteLength(key(name))};
          ${put(`<${name}>`)}
          ${this.#print(member)}
          ${put(`</${name}>`)}
          ${leave('}', `if (looks > 1) cursor.sortMembers(${found}, ${starts}, count, end);`)}
        }`,
    );
    return `${enter('{', '}')}
      let count = 0;
      for (let looks = 1, before = -1; before < count; looks += 1) {
        before = count;
        ${steps.join('')}
      }
      throw unexpected;`;
  }

  /** An array for the one object or map that is printed at a time: no schema holds itself. @returns its name */
  #array(length: number): string {
    this.#arrays += 1;
    const name = `array${this.#arrays}`;
    this.parts.push(`const ${name} = new Int32Array(${length});`);
    return name;
  }

  /** Items of a list, or pairs of a map. */
  #entries(kind: Extract<Kind, { is: 'list' | 'map' }>): string {
    const [open, close, tag] = kind.is === 'list' ? ['[', ']', kind.item] : ['{', '}', kind.entry];
    const begin =
      kind.is === 'list'
        ? put(`<${tag}>`)
        : `${put(`<${tag} name="`)} cursor.at = at; end = cursor.putName(${this.#array(maxEntries)}, count, end); at = cursor.at; ${put('">')}`;
    return `${enter(open, close)}
      for (let count = 0; ; count += 1) {
        ${begin}
        ${this.#print(kind.of)}
        ${put(`</${tag}>`)}
        ${leave(close)}
      }`;
  }
}

/**
 * The body of a function of `cursor`, its `input`, views `from` and `to` of its buffers, and the error `unexpected`. It returns a function
 * that prints documents, given how long the input is and how many it holds, with a line feed between them, which none has inside; that
 * one returns how many bytes it has printed, and throws whatever it is when something isn't as expected.
 * @param around what stands before and behind each document's content
 */
export function writeProgram(
  schema: TObject,
  around: { readonly open: string; readonly close: string },
): string {
  const writer = new ProgramWriter();
  const root = writer.write({ is: 'object', members: new Map(Object.entries(schema.properties)) });
  return `${writer.parts.join('\n')}
    return (length, count) => {
      let end = 0;
      cursor.at = 0;
      for (let left = count; left > 0; left -= 1) {
        ${put(around.open)}
        end = ${root}(end);
        ${put(around.close)}
        if (left > 1) cursor.take(${byte('\n')});
      }
      if (cursor.at !== length) throw unexpected;
      return end;
    };`;
}
