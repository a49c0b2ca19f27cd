import { useContext } from 'preact/hooks';
import { dayOfInstant, instantOfDay, isTimeZone } from 'user-files/days';
import { anyDay } from '../parts/fields.tsx';
import { readMeta } from '../root.ts';
import type { JsonObject } from '../schema/documents.ts';
import type { DraftGroup } from '../schema/drafts.ts';
import type { TextField } from '../schema/fields.ts';
import { days } from '../schema/kinds.ts';
import { FieldFrame } from './field-frame.tsx';
import { type ControlProps, FormTimeZone } from './form-context.ts';

/** The time zone of days in a form: that of the user, or else of the service. */
export const zoneOf = ({ timezone }: DraftGroup): string =>
  typeof timezone === 'string' && isTimeZone(timezone) ? timezone : readMeta('time-zone');

/** The day in the time zone of the user that an instant begins or ends. */
export const zonedDayOf = (name: string, at: string, user: DraftGroup | JsonObject): string | undefined =>
  dayOfInstant(at, days[name] ?? 'start', zoneOf(user as DraftGroup));

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
  const zone = useContext(FormTimeZone);
  const value = typeof props.value === 'string' ? props.value : '';
  const day = value.includes('T') ? dayOfInstant(value, end, zone) : value;
  // A browser calls it a day while the year is typed: 0002-03-31.
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
