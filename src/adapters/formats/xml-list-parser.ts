/**
 * Reads an XML list strictly, item by item as its text arrives: saxes builds the tree of each item for the reader of single
 * documents. No more than the current item is held in memory.
 */
import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { TObject } from 'typebox';
import {
  documentStart,
  type ListItem,
  maxDepth,
  maxNodes,
  type Naming,
  type Position,
  UnreadableError,
} from './format.ts';
import { toWholePosition } from './position-tracker.ts';
import type { PlainContext } from './xml-plain.ts';
import { readDocument } from './xml-read.ts';
import { isBlank } from './xml-scalar.ts';
import {
  type ElementStart,
  positionOf,
  refuseUnsupported,
  toElementStart,
  xsi,
} from './xml-well-formedness.ts';

/** An element whose end tag hasn't been read yet. */
interface OpenElement extends ElementStart {
  readonly children: OpenElement[];
  text: string;
}

/** What the items of a list stand in. Their prefix is the list's, as their namespace is. */
function toContext({ prefix, ns }: SaxesTagNS): PlainContext {
  const [instances] = Object.entries(ns).find(([name, uri]) => name !== '' && uri === xsi) ?? [];
  const withColon = (name: string): string => `${name}:`;
  return {
    prefix: prefix === '' ? '' : withColon(prefix),
    xsi: instances === undefined ? undefined : withColon(instances),
  };
}

/** Somebody else may read items where `nextItem` says so, if they are well-formed and within the limits. */
export class ListParser {
  readonly #schema: TObject;
  readonly #naming: Naming;
  readonly #maxItemLength: number;
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  /** The list itself first. */
  readonly #open: OpenElement[] = [];
  #nodes = 0;
  /** Where the current item, or the text between two, began. */
  #start: { readonly position: Position; readonly at: number } = { position: documentStart, at: 0 };
  #isEmpty = true;
  /** Of all text that it was given. */
  #length = 0;
  /** Where it went on behind items that were left out: in its own text, and in the whole. */
  #resumed: { readonly own: Position; readonly whole: Position } = {
    own: documentStart,
    whole: documentStart,
  };
  #context: PlainContext | undefined;
  #found: ListItem[] = [];
  /** Where the last of them ended. saxes tells that an end tag has another name after it has taken it for the item's. */
  #foundAt = -1;

  constructor(schema: TObject, naming: Naming, maxItemLength: number) {
    [this.#schema, this.#naming, this.#maxItemLength] = [schema, naming, maxItemLength];
    const parser = this.#parser;
    refuseUnsupported(parser, (detail) => {
      if (this.#foundAt === parser.position) this.#found.pop();
      this.#refuse(detail);
    });
    parser.on('processinginstruction', ({ body }) => {
      // A name followed by a question mark is not well-formed (XML 1.0 §2.6); saxes takes the mark for the instruction's text.
      if (body.startsWith('?')) this.#refuse('a processing instruction begins with a question mark');
      this.#skipAside(0);
    });
    // The event comes before the parser reads the last character.
    parser.on('comment', () => this.#skipAside(-1));
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
    // Decoding has removed one byte order mark. A second is text before the root, which saxes would overlook.
    if (this.#length === 0 && text.startsWith('\uFEFF')) this.#refuse('text data outside of root node');
    this.#isEmpty &&= isBlank(text);
    this.#length += text.length;
    this.#parser.write(text);
    this.#checkLength(this.#length);
  }

  /** Defined if what it has read last ends between two items, or in front of the first: any number may be left out. */
  get nextItem(): PlainContext | undefined {
    return this.#open.length === 1 && this.#start.at === this.#length ? this.#context : undefined;
  }

  /** Goes on at this position, behind items that were left out. */
  resume(position: Position): void {
    this.#resumed = { own: positionOf(this.#parser, this.#length), whole: position };
    this.#start = { position, at: this.#length };
  }

  /** The items completed since the last call. */
  takeItems(): readonly ListItem[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** To be called after the last piece. @throws UnreadableError when the document isn't complete */
  end(): void {
    if (this.#isEmpty) throw new UnreadableError('the document is empty', documentStart);
    this.#parser.close();
  }

  #position(): Position {
    const { own, whole } = this.#resumed;
    const { line, column } = positionOf(this.#parser, this.#length);
    return toWholePosition(whole, {
      line: line - own.line + 1,
      column: line === own.line ? column - own.column + 1 : column,
    });
  }

  #refuse(detail: string, position: Position = this.#position()): never {
    throw new UnreadableError(detail, position);
  }

  #checkLength(end: number): void {
    if (end - this.#start.at <= this.#maxItemLength) return;
    const detail = `an item of the list, or what stands between two, has more than ${this.#maxItemLength} characters`;
    this.#refuse(detail, this.#start.position);
  }

  /** An item, or the text before one, begins. @param back how many of its characters the parser has read already */
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

  /** After a comment or processing instruction; inside an item it counts as part of that. */
  #skipAside(back: number): void {
    if (this.#open.length < 2) this.#restart(back);
  }

  #enter(tag: SaxesTagNS): void {
    this.#count();
    const start = toElementStart(this.#open.length === 0 ? this.#takeTotal(tag) : tag);
    const { namespace, name, nil, key, hasUnknownAttribute } = start;
    const element: OpenElement = {
      namespace,
      name,
      nil,
      key,
      hasUnknownAttribute,
      children: [],
      text: '',
    };
    const depth = this.#open.push(element);
    if (depth === 1) {
      this.#checkList(element);
      this.#context = toContext(tag);
      this.#restart(0);
    } else if (depth === 2) this.#checkItem(element);
    else this.#open.at(-2)?.children.push(element);
    if (depth - 1 > maxDepth) this.#refuse(`nesting is deeper than ${maxDepth}`);
  }

  /** Only the list itself has one. @returns the tag without it */
  #takeTotal(tag: SaxesTagNS): SaxesTagNS {
    const { total, ...attributes } = tag.attributes;
    // As XML Schema writes a nonNegativeInteger (XSD 1.0 part 2 §3.3.20).
    if (total !== undefined && !/^[ \t\n\r]*\+?[0-9]+[ \t\n\r]*$/.test(total.value))
      this.#refuse('total must be a whole number');
    return { ...tag, attributes };
  }

  #checkList({ name, namespace, nil, key, hasUnknownAttribute }: OpenElement): void {
    const { many, namespace: own } = this.#naming;
    if (name !== many || (namespace !== own && namespace !== ''))
      this.#refuse(`a list is <${many}>, in the namespace ${own} or in none`);
    if (nil || hasUnknownAttribute || key !== undefined)
      this.#refuse(`<${many}> has an attribute that is not known here`);
  }

  #checkItem({ name, namespace }: OpenElement): void {
    const { many, one } = this.#naming;
    if (name !== one || namespace !== this.#open[0]?.namespace)
      this.#refuse(`<${many}> has nothing but <${one}> inside, in its own namespace`, this.#start.position);
  }

  /** @param read how many characters after it the parser has read already */
  #addText(text: string, read: number): void {
    const innermost = this.#open.at(-1);
    if (innermost !== undefined && this.#open.length > 1) innermost.text += text;
    else if (isBlank(text)) this.#restart(read);
    else this.#refuse(`<${this.#naming.many}> must have elements inside, not text`, this.#start.position);
  }

  #leave(): void {
    const element = this.#open.pop();
    if (this.#open.length !== 1 || element === undefined) return;
    const { position } = this.#start;
    this.#restart(0);
    this.#found.push({ ...readDocument(this.#schema, this.#naming, element), position });
    this.#foundAt = this.#parser.position;
  }
}
