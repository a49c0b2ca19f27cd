import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import type { ListField, MapField } from '../schema/fields.ts';
import { texts } from '../texts/texts.ts';
import { GroupFrame } from './field-frame.tsx';
import { focusDrawn } from './form-context.ts';

/** Number of list entries drawn with the form, and added by each further turn. */
const first = 3;
const perTurn = 50;

/** Lists that aren't whole yet, each with what draws more of it. */
const waiting: (() => void)[] = [];

/** Each turn is a task of its own, so that the browser can paint and handle input between turns. */
function takeTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setTimeout(takeTurn);
}

function waitForTurn(draw: () => void): () => void {
  if (waiting.push(draw) === 1) setTimeout(takeTurn);
  return () => {
    const at = waiting.indexOf(draw);
    if (at !== -1) waiting.splice(at, 1);
  };
}

/** How many entries to draw: a resource may have hundreds, and the form doesn't wait for those at the end. */
function useDrawn(count: number): number {
  // Once all of them were, whatever is added is drawn at once.
  const [drawn, setDrawn] = useState(count <= first ? Number.POSITIVE_INFINITY : first);
  // Runs after the drawing.
  useEffect(() => {
    if (drawn === Number.POSITIVE_INFINITY) return;
    const next = drawn + perTurn;
    return waitForTurn(() => setDrawn(next >= count ? Number.POSITIVE_INFINITY : next));
  }, [drawn]);
  return Math.min(drawn, count);
}

/** A class of the list. @param drawn of its `count` entries */
function stateOf(drawn: number, count: number): string {
  if (count === 0) return 'is-empty';
  return drawn < count ? 'is-partial' : '';
}

interface RowsProps<T> {
  readonly field: ListField | MapField;
  readonly pointer: string;
  readonly class: string;
  readonly value: readonly T[];
  /** What one of them is called. */
  readonly word: string;
  readonly most: number;
  /** A new row: its value, and the pointer of the field that gets the focus. */
  readonly added: readonly [row: T, focused: string];
  readonly onChange: (value: readonly T[]) => void;
  /** Tells a row from the others. */
  readonly nameOf: (index: number) => string;
  /** Draws the fields of a row. */
  readonly children: (index: number) => ComponentChildren;
}

/** Rows of fields that can be added and removed. */
export function Rows<T>(props: RowsProps<T>) {
  const { field, pointer, value, word, most, added, onChange, nameOf, children } = props;
  const drawn = useDrawn(value.length);
  return (
    <GroupFrame {...{ field, pointer }} class={`list-group ${props.class} ${stateOf(drawn, value.length)}`}>
      {value.length > 0 && (
        <ol>
          {value.slice(0, drawn).map((_, index) => (
            <li key={index}>
              {children(index)}
              <button
                type="button"
                class="bare remove"
                aria-label={texts.form.remove(nameOf(index))}
                title={texts.form.remove(nameOf(index))}
                onClick={() => onChange(value.filter((_, other) => other !== index))}
              >
                <Icon name="remove" />
              </button>
            </li>
          ))}
        </ol>
      )}
      <button
        type="button"
        class="add"
        disabled={value.length >= most}
        onClick={() => {
          onChange([...value, added[0]]);
          focusDrawn(added[1]);
        }}
      >
        <Icon name="plus" /> {texts.form.add(word)}
      </button>
    </GroupFrame>
  );
}
