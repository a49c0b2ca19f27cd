/** What JSON.parse keeps to itself, found by jsonc-parser: where a text isn't JSON, and which names stand twice. */
import { type JSONVisitor, visit } from 'jsonc-parser';
import type { Violation } from '../../domain/errors.ts';
import { escapePointer } from '../../domain/validation.ts';
import { maxDepth, maxReported, UnreadableError } from './format.ts';

export const notJson = (position: { line: number; column: number }): UnreadableError =>
  new UnreadableError('this is not JSON', position);

/** Throws, since the visitor calls itself for each level: nothing but an exception keeps it from the stack's end. */
function depthGuard() {
  let depth = 0;
  const enter = (_offset: number, _length: number, line: number, column: number): void => {
    depth += 1;
    if (depth > maxDepth)
      throw new UnreadableError(`nesting is deeper than ${maxDepth}`, { line: line + 1, column: column + 1 });
  };
  const leave = (): void => {
    depth -= 1;
  };
  return { enter, leave };
}

/**
 * The names that stand twice in one object.
 * @throws UnreadableError when it nests too deeply and, when `broken`, at the first error: the visitor would go on,
 * slowly, to find more
 */
export function surveyJson(text: string, broken: boolean): Violation[] {
  const names: Set<string>[] = [];
  const repeated: Violation[] = [];
  const { enter, leave } = depthGuard();
  const visitor: JSONVisitor = {
    onObjectBegin: (offset, length, line, column) => {
      names.push(new Set());
      enter(offset, length, line, column);
    },
    onObjectEnd: () => {
      names.pop();
      leave();
    },
    onArrayBegin: (offset, length, line, column) => enter(offset, length, line, column),
    onArrayEnd: leave,
    onObjectProperty: (name, _offset, _length, _line, _column, path) => {
      const seen = names.at(-1);
      if (seen?.has(name) && repeated.length < maxReported) {
        const pointer = [...path(), name].map((step) => `/${escapePointer(String(step))}`).join('');
        repeated.push({ pointer, detail: 'stands more than once' });
      }
      seen?.add(name);
    },
    onError: (_code, _offset, _length, line, column) => {
      if (broken) throw notJson({ line: line + 1, column: column + 1 });
    },
  };
  visit(text, visitor, { disallowComments: true });
  return repeated;
}
