import { useState } from 'preact/hooks';
import type { TextField } from '../schema/fields.ts';
import { FieldFrame } from './field-frame.tsx';
import type { ControlProps } from './form-context.ts';

/** As inputs of the browser have it, in its time zone; undefined for other texts. */
function toLocal(instant: string): string | undefined {
  const date = new Date(instant);
  const time = date.getTime() - date.getTimezoneOffset() * 60_000;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 19);
}

/** A text that is no date and time stays. */
const toInstant = (given: string): string =>
  Number.isNaN(Date.parse(given)) ? given : new Date(given).toISOString();

/** A declared date and time. What an input shows while a person types the year does not come back from an instant the same. */
export function TimeControl({ value, onChange, ...frame }: ControlProps<TextField>) {
  const [typed, setTyped] = useState({ local: '', instant: '' });
  const text = String(value ?? '');
  const local = typed.instant === text ? typed.local : toLocal(text);
  return (
    <FieldFrame {...frame}>
      {(attributes) => (
        <input
          {...attributes}
          {...(local !== undefined && { type: 'datetime-local', step: '1', max: '9999-12-31T23:59:59' })}
          value={local ?? text}
          onInput={({ currentTarget: { value: given } }) => {
            const instant = toInstant(given);
            setTyped({ local: given, instant });
            onChange(instant);
          }}
        />
      )}
    </FieldFrame>
  );
}
