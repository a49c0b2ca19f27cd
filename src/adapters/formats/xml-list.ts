/**
 * A list in XML, item by item: the gate's parser reads on as the text arrives, and makes of each item the tree that the
 * reader of one takes. It holds no more than the item that it is in.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { TObject } from 'typebox';
import {
  type ListItem,
  type ListOptions,
  maxDepth,
  type Naming,
  type Position,
  UnreadableError,
} from './format.ts';
import { decodeXmlStream } from './xml-decode.ts';
import { maxNodes, type Opened, opened, refuseOthers } from './xml-gate.ts';
import { readDocument } from './xml-read.ts';

/** An element that isn't closed yet. */
interface Growing extends Opened {
  readonly children: Growing[];
  text: string;
}

const space = /^[ \t\n\r]*$/;

class ListParser {
  readonly #schema: TObject;
  readonly #naming: Naming;
  readonly #maxItemLength: number;
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  /** The elements that are open, the list's own first. */
  readonly #open: Growing[] = [];
  #nodes = 0;
  /** Where what is read now began: an item, or what stands between two. */
  #start: { readonly position: Position; readonly at: number } = { position: { line: 1, column: 1 }, at: 0 };
  #isEmpty = true;
  /** Of all that was read. The parser's own position is right while it reads, not after. */
  #length = 0;
  #found: ListItem[] = [];

  constructor(schema: TObject, naming: Naming, maxItemLength: number) {
    [this.#schema, this.#naming, this.#maxItemLength] = [schema, naming, maxItemLength];
    const parser = this.#parser;
    refuseOthers(parser, (detail) => this.#refuse(detail));
    parser.on('processinginstruction', ({ body }) => {
      // A name that goes over into a question mark is not well-formed (XML 1.0 §2.6); saxes takes it for what follows.
      if (body.startsWith('?')) this.#refuse('a processing instruction begins with a question mark');
      this.#passAside(0);
    });
    // Told of before its last character is read.
    parser.on('comment', () => this.#passAside(-1));
    parser.on('attribute', () => this.#count());
    parser.on('opentag', (tag) => this.#enter(tag));
    parser.on('text', (text) => this.#addText(text, 1));
    parser.on('cdata', (text) => {
      this.#count();
      this.#addText(text, 0);
    });
    parser.on('closetag', () => this.#leave());
  }

  /** @throws UnreadableError */
  read(text: string): void {
    // One mark has gone with the decoding; a second is text before the root, which saxes would pass over.
    if (this.#length === 0 && text.startsWith('\uFEFF')) this.#refuse('text data outside of root node');
    this.#isEmpty &&= space.test(text);
    this.#parser.write(text);
    this.#length += text.length;
    this.#checkLength(this.#length);
  }

  /** The items that ended since it was asked the last time. */
  take(): readonly ListItem[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** @throws UnreadableError when the document isn't whole */
  end(): void {
    if (this.#isEmpty) throw new UnreadableError('the document is empty', { line: 1, column: 1 });
    this.#parser.close();
  }

  #position(): Position {
    return { line: this.#parser.line, column: this.#parser.column + 1 };
  }

  #refuse(detail: string, position: Position = this.#position()): never {
    throw new UnreadableError(detail, position);
  }

  #checkLength(end: number): void {
    if (end - this.#start.at <= this.#maxItemLength) return;
    const detail = `an item of the list, or what stands between two, has more than ${this.#maxItemLength} characters`;
    this.#refuse(detail, this.#start.position);
  }

  /** What is read from now on is another item, or what stands before it. @param back how much of that was read already */
  #restart(back: number): void {
    const at = this.#parser.position - back;
    this.#checkLength(at);
    const { line, column } = this.#position();
    this.#start = { position: { line, column: column - back }, at };
    this.#nodes = 0;
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > maxNodes)
      this.#refuse(`it has more than ${maxNodes} elements, attributes and CDATA sections`);
  }

  /** What may stand anywhere ends; inside an item it is a part of that. */
  #passAside(back: number): void {
    if (this.#open.length < 2) this.#restart(back);
  }

  #enter(tag: SaxesTagNS): void {
    this.#count();
    const { namespace, name, nil, key, strange } = opened(tag);
    const element: Growing = { namespace, name, nil, key, strange, children: [], text: '' };
    const depth = this.#open.push(element);
    if (depth === 1) {
      this.#checkList(element);
      this.#restart(0);
    } else if (depth === 2) this.#checkItem(element);
    else this.#open.at(-2)?.children.push(element);
    if (depth - 1 > maxDepth) this.#refuse(`nesting is deeper than ${maxDepth}`);
  }

  #checkList({ name, namespace, nil, key, strange }: Growing): void {
    const { many, namespace: own } = this.#naming;
    if (name !== many || (namespace !== own && namespace !== ''))
      this.#refuse(`a list is <${many}>, in the namespace ${own} or in none`);
    if (nil || strange || key !== undefined)
      this.#refuse(`<${many}> has an attribute that is not known here`);
  }

  #checkItem({ name, namespace }: Growing): void {
    const { many, one } = this.#naming;
    if (name !== one || namespace !== this.#open[0]?.namespace)
      this.#refuse(`<${many}> has nothing but <${one}> inside, in its own namespace`, this.#start.position);
  }

  /** @param read how much of what comes after it was read already */
  #addText(text: string, read: number): void {
    const innermost = this.#open.at(-1);
    if (innermost !== undefined && this.#open.length > 1) innermost.text += text;
    else if (space.test(text)) this.#restart(read);
    else this.#refuse(`<${this.#naming.many}> must have elements inside, not text`, this.#start.position);
  }

  #leave(): void {
    const element = this.#open.pop();
    if (this.#open.length !== 1 || element === undefined) return;
    const { position } = this.#start;
    this.#restart(0);
    this.#found.push({ ...readDocument(this.#schema, this.#naming, element), position });
  }
}

/** @throws UnreadableError as `Codec.readList` does */
export async function* readXmlList(
  chunks: AsyncIterable<Uint8Array>,
  schema: TObject,
  naming: Naming,
  { charset, maxItemLength }: ListOptions,
): AsyncGenerator<ListItem, void, undefined> {
  const parser = new ListParser(schema, naming, maxItemLength);
  for await (const text of decodeXmlStream(chunks, charset)) {
    let failure: unknown;
    try {
      parser.read(text);
    } catch (error) {
      failure = error;
    }
    yield* parser.take();
    if (failure !== undefined) throw failure;
  }
  parser.end();
}
