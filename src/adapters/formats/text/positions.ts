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

/** LF, CR and CRLF end a line. */
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

export function positionAt(text: string, at: number): Position {
  const tracker = new PositionTracker();
  tracker.advance(text.slice(0, at));
  return tracker.position;
}

/** Converts a position in a part that begins at `start` to the position in the whole text. */
export const toWholePosition = (start: Position, { line, column }: Position): Position =>
  line === 1
    ? { line: start.line, column: start.column + column - 1 }
    : { line: start.line + line - 1, column };
