/** Positions in a text: of errors, and counted while the text arrives in pieces. */

/** One-based. Columns count UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export const documentStart: Position = { line: 1, column: 1 };

/** The document doesn't match its media type. `detail` never repeats input. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  readonly position: Position | undefined;

  constructor(detail: string, position?: Position) {
    super(detail);
    this.position = position;
  }
}

const lineEnd = /\r\n?|\n/g;

export class PositionTracker {
  #line = 1;
  #column = 1;
  #at = 0;
  /** CR and LF of one line end may come in different pieces. */
  #afterReturn = false;

  get position(): Position {
    return { line: this.#line, column: this.#column };
  }

  /** The length of the text so far. */
  get at(): number {
    return this.#at;
  }

  advance(text: string): void {
    if (text === '') return;
    this.#at += text.length;
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

/** LF, CR and CRLF end a line. */
export function positionAt(text: string, at: number): Position {
  let line = 1;
  let start = 0;
  for (let index = 0; index < at; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit !== 0x0a && (unit !== 0x0d || text.charCodeAt(index + 1) === 0x0a)) continue;
    line += 1;
    start = index + 1;
  }
  return { line, column: at - start + 1 };
}

/** Converts a position in a part that begins at `start` to the position in the whole text. */
export const toWholePosition = (start: Position, { line, column }: Position): Position =>
  line === 1
    ? { line: start.line, column: start.column + column - 1 }
    : { line: start.line + line - 1, column };
