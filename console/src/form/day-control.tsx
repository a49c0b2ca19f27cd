import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { dayOfInstant, instantOfDay, isTimeZone } from 'user-files/days';
import { readOnce } from '../answers/resource-name.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { anyDay } from '../parts/fields.tsx';
import { Moment } from '../parts/moment.tsx';
import { readMeta } from '../root.ts';
import type { DraftGroup } from '../schema/drafts.ts';
import type { TextField } from '../schema/fields.ts';
import { days } from '../schema/kinds.ts';
import { FieldFrame } from './field-frame.tsx';
import type { ControlProps } from './form-context.ts';

/** Whose days are shown: those of a user, or of the one with the id, who is read if there are any. */
export const DaysOf = createContext<{ readonly user?: object | undefined; readonly id?: string }>({});

/** The time zone of days: that of the user, or else of the service. */
export function zoneOf(user: object = {}): string {
  const { timezone } = user as { readonly timezone?: unknown };
  return typeof timezone === 'string' && isTimeZone(timezone) ? timezone : readMeta('time-zone');
}

interface TimeValueProps {
  /** The path of the field. */
  readonly name: string;
  readonly at: string;
  readonly isExact?: boolean;
}

function Day({ name, at, isExact = false }: TimeValueProps) {
  const { user, id } = useContext(DaysOf);
  const { value } = useAnswer(id === undefined ? undefined : ({ kind: 'user', id } as const), readOnce);
  const day = dayOfInstant(at, days[name] ?? 'end', zoneOf(user ?? value?.resource));
  return <Moment at={at} day={day} isExact={isExact} />;
}

/** A time as text; where people give a day, the day that it begins or ends. */
export const TimeValue = ({ name, at, isExact = false }: TimeValueProps) =>
  name in days ? <Day name={name} at={at} isExact={isExact} /> : <Moment at={at} isExact={isExact} />;

/** The days that a person sees stay when the time zone changes. */
export function keepDays(before: DraftGroup, draft: DraftGroup): DraftGroup {
  const [from, to] = [zoneOf(before), zoneOf(draft)];
  if (from === to) return draft;
  const kept = Object.entries(days).flatMap(([name, end]) => {
    const day = dayOfInstant(String(draft[name]), end, from);
    return day === undefined ? [] : [[name, instantOfDay(day, end, to)]];
  });
  return { ...draft, ...Object.fromEntries(kept) };
}

interface DayControlProps extends ControlProps<TextField> {
  readonly end: 'start' | 'end';
}

/** An instant as a day. Another time than the start or the end of one, which other clients may have set, is shown as it is stored. */
export function DayControl({ end, ...props }: DayControlProps) {
  const zone = zoneOf(useContext(DaysOf).user);
  const value = typeof props.value === 'string' ? props.value : '';
  const day = value.includes('T') ? dayOfInstant(value, end, zone) : value;
  // While the year is typed, the browser reports days such as 0002-03-31.
  const toValue = (given: string) => (day === undefined ? given : (instantOfDay(given, end, zone) ?? given));
  return (
    <FieldFrame {...props}>
      {(attributes) => (
        <input
          {...attributes}
          {...(day === undefined ? { type: 'text', autocomplete: 'off' } : anyDay)}
          value={day ?? value}
          onInput={({ currentTarget }) => props.onChange(toValue(currentTarget.value))}
        />
      )}
    </FieldFrame>
  );
}

/** As inputs of the browser have it, in its time zone; undefined for other texts. */
function toLocal(instant: string): string | undefined {
  const date = new Date(instant);
  const time = date.getTime() - date.getTimezoneOffset() * 60_000;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 19);
}

/** A text that is no date and time stays. */
const toInstant = (given: string): string =>
  Number.isNaN(Date.parse(given)) ? given : new Date(given).toISOString();

/** A declared date and time. The typed text is kept beside the instant: converted back, a half-typed year would change in the input. */
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
