/** By jsonc-parser: what JSON.parse doesn't report, the position of a syntax error and names that occur twice in one object. */
import { type JSONVisitor, visit } from 'jsonc-parser';
import type { Violation } from '../../domain/errors.ts';
import { escapePointer } from '../../domain/schema-validator.ts';
import { documentStart, maxDepth, maxReported, type Position, UnreadableError } from './format.ts';

const options = { disallowComments: true };

const syntaxError = (position: Position): UnreadableError =>
  new UnreadableError('this is not JSON', position);

/**
 * For a text that JSON.parse refuses: names the first error, where the visitor by itself would go on, slowly, to find more.
 * @throws UnreadableError always, with the position; also where the text nests too deeply for the visitor, which recurses
 */
export function throwSyntaxError(text: string): never {
  let depth = 0;
  const enter = (_offset: number, _length: number, line: number, column: number): void => {
    depth += 1;
    if (depth > maxDepth)
      throw new UnreadableError(`nesting is deeper than ${maxDepth}`, { line: line + 1, column: column + 1 });
  };
  const leave = (): void => {
    depth -= 1;
  };
  const visitor: JSONVisitor = {
    onObjectBegin: enter,
    onObjectEnd: leave,
    onArrayBegin: enter,
    onArrayEnd: leave,
    onError: (_code, _offset, _length, line, column) => {
      throw syntaxError({ line: line + 1, column: column + 1 });
    },
  };
  visit(text, visitor, options);
  throw syntaxError(documentStart);
}

/** @param text JSON that nests no deeper than maxDepth: the visitor recurses */
export function findRepeatedNames(text: string): Violation[] {
  const names: Set<string>[] = [];
  const repeated: Violation[] = [];
  const visitor: JSONVisitor = {
    onObjectBegin: () => void names.push(new Set()),
    onObjectEnd: () => void names.pop(),
    onObjectProperty: (name, _offset, _length, _line, _column, path) => {
      const seen = names.at(-1);
      if (seen?.has(name) && repeated.length < maxReported) {
        const pointer = [...path(), name].map((step) => `/${escapePointer(String(step))}`).join('');
        repeated.push({ pointer, detail: 'stands more than once' });
      }
      seen?.add(name);
    },
  };
  visit(text, visitor, options);
  return repeated;
}
