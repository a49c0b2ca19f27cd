import { useAnswer } from '../answers/use-answer.ts';
import { listResources } from '../api/directory.ts';
import type { Failure } from '../api/failure.ts';
import { useDebounced } from '../parts/use-debounced.ts';
import { type KindName, kinds, type Resource } from '../schema/kinds.ts';

/** More than are offered, so that others can take the places of picked ones. */
const maxAsked = 24;

interface Found {
  readonly resources: readonly Resource[];
  readonly failure: Failure | undefined;
  /** Whether `resources` belong to the current text. */
  readonly isCurrent: boolean;
}

/** The resources that a typed text finds. @param text undefined: nothing is asked */
export function useFound(kind: KindName, text: string | undefined): Found {
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
