/** The filters of lists and what they take. Those of declared attributes are `attributes.badge`, and `attributes.hired.from` of a range. */
import type { Field } from './fields.ts';
import { type FilterName, isDay, isFlag, type KindName, kinds, relations } from './kinds.ts';
import { declaredOf } from './load-fields.ts';

const end = /(?<=^attributes\..+)\.(from|to)$/;

/** The end of a range of a declared attribute. */
export const endOf = (name: FilterName): string | undefined => end.exec(name)?.[1];

/** The declared attribute that a filter compares, of a list its items. */
export function attributeOf(name: FilterName): Field | undefined {
  const field = declaredOf('user').find(({ path }) => path === name.replace(end, ''));
  return field?.kind === 'list' ? field.item : field;
}

const takenByType: Readonly<Record<string, 'day' | 'date' | 'flag' | 'user'>> = {
  user: 'user',
  boolean: 'flag',
  date: 'date',
  dateTime: 'day',
};

/** A `day` is a time in the reader's time zone, a `date` the same for all; a kind: the id of a resource. */
export function takes(name: FilterName): 'text' | 'day' | 'date' | 'flag' | KindName {
  if (isDay(name)) return 'day';
  if (isFlag(name)) return 'flag';
  const field = attributeOf(name);
  return relations[name] ?? (field?.kind === 'text' ? takenByType[field.type] : undefined) ?? 'text';
}

export const isCalendar = (name: FilterName): boolean => ['day', 'date'].includes(takes(name));

const endsOf = ({ kind, path, isSorted }: Field): readonly string[] =>
  isSorted && (kind === 'number' || isCalendar(path as FilterName)) ? [`${path}.from`, `${path}.to`] : [];

export const filtersOf = (kind: KindName): readonly FilterName[] => [
  ...kinds[kind].filters,
  ...declaredOf(kind).flatMap(
    (field) => [...(field.isFilter ? [field.path] : []), ...endsOf(field)] as FilterName[],
  ),
];
