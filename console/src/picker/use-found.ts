import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { fold } from '../language.ts';
import { useDebounced } from '../parts/use-debounced.ts';
import { type KindName, kinds, type ListQuery, nameOf, type Resource, titleOf } from '../schema/kinds.ts';
import { usualSortOf } from '../schema/load-fields.ts';
import { texts } from '../texts/texts.ts';
import type { Option } from './choices.ts';

/** Others are found by typing more. A search for a name finds many by their titles, so more are read than shown. */
const [most, mostRead] = [24, 72];

/** Whether each word of the search begins a word of the name: 1, otherwise 0. */
const rankOf = (search: string, resource: Resource): number => {
  const names = ` ${fold(titleOf(resource))} ${nameOf(resource)}`.replace(/[-.@]/g, ' ');
  return Number(
    fold(search)
      .split(' ')
      .every((word) => names.includes(` ${word}`)),
  );
};

/** With what distinguishes it from others of the same name. */
export function optionOf(resource: Resource): Option {
  const label = titleOf(resource);
  if (!('userName' in resource)) return { value: resource.id, label, note: resource.description ?? '' };
  const { userName, title, enterprise, active } = resource;
  const told = [
    userName !== label && userName,
    title,
    enterprise?.department,
    active === false && texts.list.status.false,
  ];
  return { value: resource.id, label, note: told.filter(Boolean).join(' · ') };
}

/** The resources that a typed text finds. @param text undefined: no request @param filters of all @returns `isCurrent`: they belong to the text */
export function useFound(kind: KindName, text: string | undefined, filters: ListQuery = {}) {
  const search = useDebounced(text?.trim());
  const query = {
    ...filters,
    ...(search ? { search } : {}),
    sort: usualSortOf(kind, kinds[kind].uniqueName),
    limit: mostRead,
  };
  const { value, failure, isBusy } = useAnswer(
    search === undefined ? undefined : { kind, query },
    listResources,
  );
  const found = failure === undefined ? (value?.resources ?? []) : [];
  const resources = found
    .toSorted((one, other) => rankOf(search ?? '', other) - rankOf(search ?? '', one))
    .slice(0, most);
  return {
    resources,
    failure,
    isCurrent: !isBusy && search === text?.trim(),
    isMore: found.length > most,
  };
}
