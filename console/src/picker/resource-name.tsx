import { useAnswer } from '../answers/use-answer.ts';
import { readResource } from '../api/directory.ts';
import { nameOf, type Ref } from '../schema/kinds.ts';

/** The name behind an id, and the id where the name can't be read. */
export function ResourceName(ref: Ref) {
  const { value } = useAnswer(ref, readResource);
  return <bdi>{value === undefined ? ref.id : nameOf(value.resource)}</bdi>;
}
