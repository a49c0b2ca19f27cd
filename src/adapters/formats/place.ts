/** Where reading stands in a text that comes in pieces. */
import type { Position } from './format.ts';

const lineEnd = /\r\n?|\n/g;

export class Place {
  #line = 1;
  #column = 1;
  /** A line end may come in two pieces. */
  #afterReturn = false;

  get position(): Position {
    return { line: this.#line, column: this.#column };
  }

  /** Past this text, which follows on what was passed before. */
  advance(text: string): void {
    if (text === '') return;
    let start = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    lineEnd.lastIndex = start;
    while (lineEnd.test(text)) {
      start = lineEnd.lastIndex;
      this.#line += 1;
      this.#column = 1;
      lineEnd.lastIndex = start;
    }
    this.#column += text.length - start;
    this.#afterReturn = text.endsWith('\r');
  }
}

/** The place in the whole, of one in a part of it that begins at `start`. */
export const placeInWhole = (start: Position, { line, column }: Position): Position =>
  line === 1
    ? { line: start.line, column: start.column + column - 1 }
    : { line: start.line + line - 1, column };
