/** The strict parser's place in a list: positions in the whole text, and the limits of each item. */

import { itemTooLong, maxNodes } from '../../port/format.ts';
import {
  documentStart,
  type Position,
  type PositionTracker,
  toWholePosition,
  UnreadableError,
} from '../../text/positions.ts';
import { positionOf, type StrictParser } from '../strict/strict-parser.ts';

export class ListPlace {
  readonly #parser: StrictParser;
  readonly #maxItemLength: number;
  #nodes = 0;
  /** The start of the current item, or of the text between two items; `at` in the parser's text. */
  #start: { readonly position: Position; readonly at: number } = { position: documentStart, at: 0 };
  /** The length of all text given to the parser. */
  #length = 0;
  /** The length of all items that the parser has not been given. */
  #skipped = 0;
  /** Where the parser continued after skipped items: in its own text, and in the whole text. */
  #resumed: { readonly own: Position; readonly whole: Position } = {
    own: documentStart,
    whole: documentStart,
  };

  /** @param maxItemLength in UTF-16 code units, of an item and of the text between two items */
  constructor(parser: StrictParser, maxItemLength: number) {
    [this.#parser, this.#maxItemLength] = [parser, maxItemLength];
  }

  /** The start of the current item, or of the text between two items. */
  get start(): Position {
    return this.#start.position;
  }

  /** The same as `start`, in UTF-16 code units from the beginning of the whole text. */
  get startAt(): number {
    return this.#start.at + this.#skipped;
  }

  /** The place of the parser, as `startAt`. */
  get at(): number {
    return this.#parser.position + this.#skipped;
  }

  /** Nothing has been read since the last item or the list's start tag. */
  get isBetween(): boolean {
    return this.#start.at === this.#length;
  }

  get isAtBeginning(): boolean {
    return this.#length === 0;
  }

  /** Call before the parser reads this much more text. */
  lengthen(length: number): void {
    this.#length += length;
  }

  /** Continues here, after skipped items. */
  resume({ position, at }: Pick<PositionTracker, 'position' | 'at'>): void {
    this.#skipped = at - this.#length;
    this.#resumed = { own: positionOf(this.#parser, this.#length), whole: position };
    this.#start = { position, at: this.#length };
  }

  /** @throws UnreadableError with this position; default: the parser's */
  refuse(detail: string, position: Position = this.#position()): never {
    throw new UnreadableError(detail, position);
  }

  /** @throws UnreadableError when the current item, or the text between two items, is too long */
  checkLength(end = this.#length): void {
    if (end - this.#start.at > this.#maxItemLength)
      throw itemTooLong(this.#maxItemLength, this.#start.position);
  }

  /**
   * Begins an item, or the text before one.
   * @param back the number of its characters that the parser has already read
   * @throws UnreadableError as `checkLength`, for the part that ends here
   */
  restart(back: number): void {
    const at = this.#parser.position - back;
    this.checkLength(at);
    const { line, column } = this.#position();
    this.#start = { position: { line, column: column - back }, at };
    this.#nodes = 0;
  }

  /** Counts an element, attribute or CDATA section of the current item. @throws UnreadableError above maxNodes */
  count(): void {
    this.#nodes += 1;
    if (this.#nodes > maxNodes)
      this.refuse(`it has more than ${maxNodes} elements, attributes and CDATA sections`);
  }

  #position(): Position {
    const { own, whole } = this.#resumed;
    const { line, column } = positionOf(this.#parser, this.#length);
    return toWholePosition(whole, {
      line: line - own.line + 1,
      column: line === own.line ? column - own.column + 1 : column,
    });
  }
}
