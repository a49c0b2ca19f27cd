/** Compares resources with a filter, one by one. */
import type { Principal } from '../../../../domain/ports.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import { Slices } from '../../../scheduler/slices.ts';
import type { Related } from '../protocol/service.ts';
import type { ResourceType } from '../resource/resource-type.ts';
import { compileFilter } from './matches.ts';
import type { Filter } from './syntax.ts';

/** Batches are never empty. */
export type Batches = AsyncGenerator<readonly Stored<Resource>[], void, undefined>;

export type IsFound = (stored: Stored<Resource>) => boolean | Promise<boolean>;

/** Pauses between resources, since resources and filters may be large. @param client on whose behalf it runs */
export async function* filterInTurns(
  client: string,
  batches: Batches | Iterable<readonly Stored<Resource>[]>,
  isFound: IsFound,
): Batches {
  const slices = new Slices(client);
  for await (const batch of batches) {
    const found: Stored<Resource>[] = [];
    for (const stored of batch) {
      await slices.pause();
      const answer = isFound(stored);
      if (typeof answer === 'boolean' ? answer : await answer) found.push(stored);
    }
    if (found.length > 0) yield found;
    await slices.end();
  }
}

export interface TestParts {
  readonly type: Pick<ResourceType, 'relation'>;
  readonly related?: Related | undefined;
  readonly principal: Principal;
  readonly resourceOf: (stored: Stored<Resource>) => object;
}

/**
 * The filter's own test.
 * @param wanted the values of the relation that the filter asks for: the test is told which of them the resource has
 */
export function testOf(
  filter: Filter,
  wanted: readonly string[],
  { type, related, principal, resourceOf }: TestParts,
): IsFound {
  const matches = compileFilter(filter);
  const { relation } = type;
  if (relation === undefined || related === undefined || wanted.length === 0)
    return (stored) => matches(resourceOf(stored));
  return async (stored) => {
    const has = await Promise.all(wanted.map((value) => related.has(principal, stored.id, value)));
    const values = wanted.filter((_, at) => has[at]).map((value) => ({ value }));
    return matches({ ...resourceOf(stored), [relation.name]: values });
  };
}
