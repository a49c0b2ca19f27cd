import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { useDebounced } from '../parts/use-debounced.ts';
import { type KindName, kinds, type ListQuery, type Resource, titleOf } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import type { Option } from './choices.ts';

/** Others are found by typing more. */
const maxAsked = 24;

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
    sort: kinds[kind].uniqueName as 'displayName',
    limit: maxAsked,
  };
  const { value, failure, isBusy } = useAnswer(
    search === undefined ? undefined : { kind, query },
    listResources,
  );
  const resources = failure === undefined ? (value?.resources ?? []) : [];
  return {
    resources,
    failure,
    isCurrent: !isBusy && search === text?.trim(),
    isMore: resources.length === maxAsked,
  };
}
