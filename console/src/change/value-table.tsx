import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Link } from '../address/navigation.tsx';
import { DaysOf } from '../form/day-control.tsx';
import { describePointer, fieldAt } from '../form/pointers.ts';
import { type Json, printPointer } from '../schema/documents.ts';
import type { Field } from '../schema/fields.ts';
import { type Resource, refOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { ValueView } from './value-view.tsx';

interface ValueRow {
  readonly path: readonly string[];
  readonly values: readonly (Json | undefined)[];
  /** In place of unknown values. */
  readonly note?: string | false;
  /** Shown after the first value. */
  readonly beside?: ComponentChildren;
}

interface ValueTableProps {
  readonly fields: readonly Field[];
  readonly headings: readonly string[];
  readonly rows: readonly ValueRow[];
  /** Whose values they are, if each column has another user or group. */
  readonly of?: readonly Resource[];
}

/** Values of fields, side by side. */
export function ValueTable({ fields, headings, rows, of }: ValueTableProps) {
  const around = useContext(DaysOf);
  return (
    <table class="compared">
      <thead>
        <tr>
          <th>{texts.list.field}</th>
          {headings.map((heading, at) => (
            <th key={at}>
              {of?.[at] ? <Link view={{ name: 'one', ...refOf(of[at]) }}>{heading}</Link> : heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ path, values, note = false, beside }) => (
          <tr key={path.join('/')}>
            <th scope="row">{describePointer(fields, printPointer(path))}</th>
            {note === false ? (
              values.map((value, at) => (
                <td key={at} {...(headings.length > 1 && { 'data-label': headings[at] })}>
                  <DaysOf.Provider value={of ? { user: of[at] } : around}>
                    <ValueView value={value} field={fieldAt(fields, path)} />
                  </DaysOf.Provider>
                  {at === 0 && beside}
                </td>
              ))
            ) : (
              <td colSpan={headings.length} class="quiet">
                {note}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
