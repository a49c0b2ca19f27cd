/** Where in a list its strict parser has come to: positions in the whole text, and the limits of each item. */
import { documentStart, itemTooLong, maxNodes, type Position, UnreadableError } from '../../core/format.ts';
import { toWholePosition } from '../../core/positions.ts';
import { positionOf, type StrictParser } from '../strict/well-formedness.ts';

export class ListPlace {
  readonly #parser: StrictParser;
  readonly #maxItemLength: number;
  #nodes = 0;
  /** Where the current item, or the text between two, began. */
  #start: { readonly position: Position; readonly at: number } = { position: documentStart, at: 0 };
  /** Of all text that the parser was given. */
  #length = 0;
  /** Where it went on behind items that were left out: in its own text, and in the whole. */
  #resumed: { readonly own: Position; readonly whole: Position } = {
    own: documentStart,
    whole: documentStart,
  };

  /** @param maxItemLength in UTF-16 code units, of an item and of what stands between two */
  constructor(parser: StrictParser, maxItemLength: number) {
    [this.#parser, this.#maxItemLength] = [parser, maxItemLength];
  }

  /** Where the current item, or the text between two, began. */
  get start(): Position {
    return this.#start.position;
  }

  /** Nothing has been read of an item, nor of the text behind the last one. */
  get isBetween(): boolean {
    return this.#start.at === this.#length;
  }

  get isAtBeginning(): boolean {
    return this.#length === 0;
  }

  /** To be called before the parser reads so much more. */
  lengthen(length: number): void {
    this.#length += length;
  }

  /** Goes on at this position, behind items that were left out. */
  resume(position: Position): void {
    this.#resumed = { own: positionOf(this.#parser, this.#length), whole: position };
    this.#start = { position, at: this.#length };
  }

  /** @throws UnreadableError with the position that the parser has come to, where no other is given */
  refuse(detail: string, position: Position = this.#position()): never {
    throw new UnreadableError(detail, position);
  }

  /** @throws UnreadableError when what was begun last is too long, with all that the parser was given */
  checkLength(end = this.#length): void {
    if (end - this.#start.at > this.#maxItemLength)
      throw itemTooLong(this.#maxItemLength, this.#start.position);
  }

  /**
   * An item, or the text before one, begins.
   * @param back how many of its characters the parser has read already
   * @throws UnreadableError as `checkLength`, of what ends here
   */
  restart(back: number): void {
    const at = this.#parser.position - back;
    this.checkLength(at);
    const { line, column } = this.#position();
    this.#start = { position: { line, column: column - back }, at };
    this.#nodes = 0;
  }

  /** One more element, attribute or CDATA section of the current item. @throws UnreadableError for one too many */
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
