/**
 * Reads an XML list strictly, item by item as its text arrives: saxes builds the tree of each item for the reader of single documents. Only
 * the current item is held in memory.
 */

import { SaxesParser, type SaxesTagNS } from 'saxes';
import type { TObject } from 'typebox';
import { maxDepth, type Naming, type Parsed } from '../../port/format.ts';
import { documentStart, type Position, type PositionTracker, UnreadableError } from '../../text/positions.ts';
import type { QuickContext } from '../quick/reader.ts';
import { type ElementStart, readDocument } from '../strict/document.ts';
import {
  hasOddTarget,
  type Refuse,
  refuseUnsupported,
  toElementStart,
  xsi,
} from '../strict/strict-parser.ts';
import { isBlank } from '../text/scalar.ts';
import { ListPlace } from './list-position.ts';

export interface XmlItem extends Parsed {
  /** Where it begins. */
  readonly position: Position;
  /** Its text, in UTF-16 code units from the beginning of the whole. */
  readonly at: number;
  readonly end: number;
}

/** An element whose end tag hasn't been read yet. */
interface OpenElement extends ElementStart {
  readonly children: OpenElement[];
  text: string;
}

/** Keeps the text given to the parser. */
interface ReadTexts {
  /** The text of this length before the place, or as much as is kept: at least the current item, or the text between two items. */
  before(at: number, length: number): string;
}

/** When `nextItem` is defined, another reader may read items, if they are well-formed and within the limits. */
export class ListParser {
  readonly #schema: TObject;
  readonly #naming: Naming;
  readonly #onStartTag: (at: number, end: number) => void;
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  readonly #place: ListPlace;
  /** The first is the list itself. */
  readonly #open: OpenElement[] = [];
  #isEmpty = true;
  #context: QuickContext | undefined;
  #found: XmlItem[] = [];
  /** The end of the last item found. saxes reports a mismatched end tag only after it has closed the item. */
  #foundAt = -1;
  readonly #refuse: Refuse = (detail) => this.#place.refuse(detail);

  /** @param onStartTag called with the place of the list's start tag; an XML declaration may precede the tag there */
  constructor(
    schema: TObject,
    naming: Naming,
    maxItemLength: number,
    texts: ReadTexts,
    onStartTag: (at: number, end: number) => void,
  ) {
    [this.#schema, this.#naming, this.#onStartTag] = [schema, naming, onStartTag];
    const parser = this.#parser;
    this.#place = new ListPlace(parser, maxItemLength);
    refuseUnsupported(parser, (detail) => {
      if (this.#foundAt === parser.position) this.#found.pop();
      this.#refuse(detail);
    });
    parser.on('processinginstruction', (instruction) => {
      if (hasOddTarget(instruction, (length) => texts.before(this.#place.at, length)))
        this.#refuse('a processing instruction has a question mark in its name');
      this.#skipAside(0);
    });
    // The event comes before the parser reads the last character.
    parser.on('comment', () => this.#skipAside(-1));
    parser.on('attribute', () => this.#place.count());
    parser.on('opentag', (tag) => this.#enter(tag));
    parser.on('text', (text) => this.#addText(text, 1));
    parser.on('cdata', (text) => {
      this.#place.count();
      this.#addText(text, 0);
    });
    parser.on('closetag', () => this.#leave());
  }

  /** @param text doesn't split a surrogate pair @throws UnreadableError */
  read(text: string): void {
    // As in whole documents: saxes reads the code unit after a lone surrogate as its other half.
    if (!text.isWellFormed()) this.#refuse('disallowed character');
    // Decoding has removed one byte order mark. A second is text before the root, which saxes would overlook.
    if (this.#place.isAtBeginning && text.startsWith('\uFEFF'))
      this.#refuse('text data outside of root node');
    this.#isEmpty &&= isBlank(text);
    this.#place.lengthen(text.length);
    this.#parser.write(text);
    this.#place.checkLength();
  }

  /** Defined if the text read so far ends between two items or before the first. Any number of items may then be skipped. */
  get nextItem(): QuickContext | undefined {
    return this.#open.length === 1 && this.#place.isBetween ? this.#context : undefined;
  }

  /** Continues here, after skipped items. */
  resume(tracker: PositionTracker): void {
    this.#place.resume(tracker);
  }

  /** The items completed since the last call. */
  takeItems(): readonly XmlItem[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  /** Call after the last piece. @throws UnreadableError when the document isn't complete */
  end(): void {
    if (this.#isEmpty) throw new UnreadableError('the document is empty', documentStart);
    this.#parser.close();
  }

  /** Called after a comment or processing instruction; inside an item it counts as part of the item. */
  #skipAside(back: number): void {
    if (this.#open.length < 2) this.#place.restart(back);
  }

  #enter(tag: SaxesTagNS): void {
    this.#place.count();
    const isList = this.#open.length === 0;
    const start = isList ? readListStart(tag, this.#naming, this.#refuse) : toElementStart(tag);
    const element: OpenElement = { ...start, children: [], text: '' };
    const depth = this.#open.push(element);
    if (isList) {
      this.#context = toContext(tag);
      this.#onStartTag(this.#place.startAt, this.#parser.position);
      this.#place.restart(0);
    } else if (depth === 2) this.#checkItem(element);
    else this.#open.at(-2)?.children.push(element);
    if (depth - 1 > maxDepth) this.#refuse(`nesting is deeper than ${maxDepth}`);
  }

  #checkItem({ name, namespace }: OpenElement): void {
    const { many, one } = this.#naming;
    if (name !== one || namespace !== this.#open[0]?.namespace)
      this.#place.refuse(
        `<${many}> has nothing but <${one}> inside, in its own namespace`,
        this.#place.start,
      );
  }

  /** @param read the number of characters after it that the parser has already read */
  #addText(text: string, read: number): void {
    const innermost = this.#open.at(-1);
    if (innermost !== undefined && this.#open.length > 1) innermost.text += text;
    else if (isBlank(text)) this.#place.restart(read);
    else this.#place.refuse(`<${this.#naming.many}> must have elements inside, not text`, this.#place.start);
  }

  #leave(): void {
    const element = this.#open.pop();
    if (this.#open.length !== 1 || element === undefined) return;
    const { start: position, startAt: at } = this.#place;
    this.#place.restart(0);
    const { startAt: end } = this.#place;
    this.#found.push({ ...readDocument(this.#schema, this.#naming, element), position, at, end });
    this.#foundAt = this.#parser.position;
  }
}

/** The context of the list's items, which share its prefix and namespace. */
function toContext({ prefix, ns }: SaxesTagNS): QuickContext {
  const [instances] = Object.entries(ns).find(([name, uri]) => name !== '' && uri === xsi) ?? [];
  const withColon = (name: string): string => `${name}:`;
  return {
    prefix: prefix === '' ? '' : withColon(prefix),
    xsi: instances === undefined ? undefined : withColon(instances),
  };
}

/** Ignores the attribute `total`, which only lists have. */
function readListStart(tag: SaxesTagNS, naming: Naming, refuse: Refuse): ElementStart {
  const { total, ...attributes } = tag.attributes;
  // XML Schema's nonNegativeInteger (XSD 1.0 part 2 §3.3.20).
  if (total !== undefined && !/^[ \t\n\r]*\+?[0-9]+[ \t\n\r]*$/.test(total.value))
    refuse('total must be a whole number');
  const start = toElementStart({ ...tag, attributes });
  const { name, namespace, nil, key, unknownAttribute } = start;
  const { many, namespace: own } = naming;
  if (name !== many || (namespace !== own && namespace !== ''))
    refuse(`a list is <${many}>, in the namespace ${own} or in none`);
  if (nil || unknownAttribute !== undefined || key !== undefined)
    refuse(`<${many}> has an attribute that is not known here`);
  return start;
}
