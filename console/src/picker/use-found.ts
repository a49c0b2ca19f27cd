import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import { useDebounced } from '../parts/use-debounced.ts';
import { type KindName, kinds } from '../schema/kinds.ts';

/** More than are offered, so that others can replace picked ones. */
const maxAsked = 24;

/** The resources that a typed text finds. @param text undefined: no request @returns `isCurrent`: they belong to the text */
export function useFound(kind: KindName, text: string | undefined) {
  const search = useDebounced(text?.trim());
  const query = {
    ...(search ? { search } : {}),
    sort: kinds[kind].uniqueName as 'displayName',
    limit: maxAsked,
  };
  const { value, failure, isBusy } = useAnswer(
    search === undefined ? undefined : { kind, query },
    listResources,
  );
  return {
    resources: failure === undefined ? (value?.resources ?? []) : [],
    failure,
    isCurrent: !isBusy && search === text?.trim(),
  };
}
