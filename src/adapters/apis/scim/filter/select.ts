/**
 * The matches of a filter, page by page. `plan.ts` turns the filter into a store condition. If the condition is exact, a page is one question
 * to the store. Otherwise each resource that the store returns is compared with the filter, up to `maxScanned` of them.
 */
import { matchAll } from '../../../../domain/find/conditions.ts';
import { comparePositions, type Place, type Position, type Sort } from '../../../../domain/find/sorts.ts';
import type { Principal } from '../../../../domain/ports.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import { requireScope } from '../../../../domain/scopes.ts';
import type { Page, PageQuery } from '../../../../domain/store.ts';
import type { Resources } from '../../../../domain/use-cases/resources.ts';
import { DomainError } from '../../../../domain/validation/errors.ts';
import { Slices } from '../../../scheduler/slices.ts';
import type { Related } from '../protocol/service.ts';
import { scimPath } from '../resource/resource.ts';
import { isVisible, type ResourceType } from '../resource/resource-type.ts';
import { compileFilter } from './matches.ts';
import { type Plan, planFilter, residualOf } from './plan.ts';
import { relatedIn, type ScimFilter } from './syntax.ts';

/** Batches are never empty. */
type Batches = AsyncGenerator<readonly Stored<Resource>[], void, undefined>;

type IsFound = (stored: Stored<Resource>) => boolean | Promise<boolean>;

/** Pauses between resources, since resources and filters may be large. @param client on whose behalf it runs */
async function* filterInTurns(
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

interface TestParts {
  readonly type: Pick<ResourceType, 'relation'>;
  readonly related?: Related | undefined;
  readonly principal: Principal;
  readonly resourceOf: (stored: Stored<Resource>) => object;
}

/** The filter's own test. @param wanted from `relatedIn`: the test is told which of these values the resource has */
function testOf(
  filter: ScimFilter,
  wanted: readonly (string | undefined)[],
  { type, related, principal, resourceOf }: TestParts,
): IsFound {
  const matches = compileFilter(filter);
  const { relation } = type;
  if (relation === undefined || related === undefined || wanted.length === 0)
    return (stored) => matches(resourceOf(stored));
  const valuesOf = async (id: string, wantedValue: string | undefined): Promise<readonly string[]> => {
    if (wantedValue === undefined) return (await related.read(principal, [id], 1)).get(id) ?? [];
    return (await related.has(principal, id, wantedValue)) ? [wantedValue] : [];
  };
  return async (stored) => {
    const values = await Promise.all(wanted.map((value) => valuesOf(stored.id, value)));
    return matches({ ...resourceOf(stored), [relation.name]: values.flat().map((value) => ({ value })) });
  };
}

interface SelectionParts extends TestParts {
  readonly type: Pick<ResourceType, 'kind' | 'filters' | 'members' | 'findAny' | 'relation'>;
  readonly resources: Pick<Resources<Resource>, 'page' | 'list'>;
  /** Undefined selects all resources. */
  readonly filter: ScimFilter | undefined;
  readonly sort: Sort;
  /** The maximum number of resources scanned for a filter that no index answers. */
  readonly maxScanned: number;
  /** Whether the client has closed its connection. */
  readonly hasLeft?: () => boolean;
}

export interface PlaceOfPage extends Pick<PageQuery, 'after' | 'skip' | 'limit'> {
  /** Instead of `after`: the matches nearest in front of this place. */
  readonly before?: Place | undefined;
  /** Left out: not counted. */
  readonly total?: 'exact';
}

export interface Selected {
  /**
   * Starts at a place. Matches in front of `before` begin with the nearest, in reverse order. Beyond a length that fills any response, matches have
   * only ids.
   */
  readonly matches: readonly (Stored<Resource> | string)[];
  /** True if more matches follow in the same direction. */
  readonly more: boolean;
  readonly total?: number | undefined;
}

/** If no more candidates than this remain, one question answers the filter: most filters look for a certain resource. */
const few = 16;

/** In UTF-16 code units of the stored texts. */
const maxLength = 4 * 1024 * 1024;

/** Each method may throw DomainError `query-too-costly`, also when it would scan more than `maxScanned` resources. */
export class FilterSelection {
  readonly #parts: SelectionParts;
  readonly #plan: Plan;
  readonly #isFound: IsFound;
  /** The maximum number of resources scanned. For each of them, the store is asked once for each value of the relation. */
  readonly #maxScanned: number;
  /** The handle of the list, for the store. */
  readonly #list = {};
  #few: Promise<readonly Stored<Resource>[] | undefined> | undefined;

  /** @throws DomainError `insufficient-scope` */
  constructor(parts: SelectionParts) {
    const { filter, principal, type, maxScanned } = parts;
    if (type.relation !== undefined && filter !== undefined && relatedIn(filter).length > 0)
      requireScope(principal, type.relation.scope);
    const residual = filter && residualOf(filter);
    const wanted = residual === undefined ? [] : [...new Set(relatedIn(residual))];
    this.#parts = parts;
    this.#plan = filter === undefined ? { where: matchAll, isExact: true } : planFilter(filter);
    this.#isFound =
      residual === undefined || this.#plan.isExact ? () => true : testOf(residual, wanted, parts);
    this.#maxScanned = Math.floor(maxScanned / Math.max(1, wanted.length));
  }

  /** True if resources must be scanned one by one: no index answers the filter, and more than a few candidates remain. */
  async isScan(): Promise<boolean> {
    return !this.#plan.isExact && (await this.#findFew()) === undefined;
  }

  async page(place: PlaceOfPage): Promise<Selected> {
    if (!this.#plan.isExact) return await this.#collect(place);
    const { items, rest = [], more, total } = await this.#ask({ ...place, maxLength });
    const matches = [...items, ...rest];
    return { matches: place.before === undefined ? matches : matches.reverse(), more, total };
  }

  #ask(query: Omit<PageQuery, 'where'>): Promise<Page<Stored<Resource>>> {
    const { resources, principal, sort, hasLeft } = this.#parts;
    return resources.page(principal, {
      ...{ where: this.#plan.where, sort, list: this.#list, hasLeft },
      ...query,
    });
  }

  async #collect({ after, before, skip = 0, limit, total }: PlaceOfPage): Promise<Selected> {
    const matches: (Stored<Resource> | string)[] = [];
    let [seen, length] = [0, 0];
    for await (const batch of this.#walk(after, before)) {
      if (this.#parts.hasLeft?.()) break;
      for (const stored of batch) {
        seen += 1;
        if (seen <= skip) continue;
        if (matches.length === limit) {
          if (total === undefined) return { matches, more: true };
          continue;
        }
        matches.push(length < maxLength ? stored : stored.id);
        length += stored.text.length;
      }
    }
    return { matches, more: seen > skip + limit, total: total && seen };
  }

  /** Yields batches; other requests run while resources that don't match are skipped. */
  async *#walk(after: Position | undefined, before: Place | undefined): Batches {
    const { type, resources, principal, sort, hasLeft } = this.#parts;
    const found = await this.#findFew();
    if (found === undefined) {
      const candidates = resources.list(principal, {
        ...{ where: this.#plan.where, sort, list: this.#list, hasLeft },
        ...{ after: before === 'end' ? undefined : (before ?? after), backward: before !== undefined },
      });
      yield* filterInTurns(principal.id, candidates, this.#isFound);
      return;
    }
    const orderTo = (stored: Stored<Resource>, place: Position) =>
      comparePositions(type.kind.positionOf(stored, sort), place, sort);
    if (before !== undefined)
      yield found.filter((stored) => before === 'end' || orderTo(stored, before) < 0).reverse();
    else yield found.filter((stored) => after === undefined || orderTo(stored, after) > 0);
  }

  /** All matches, if few candidates remain. */
  #findFew(): Promise<readonly Stored<Resource>[] | undefined> {
    this.#few ??= this.#collectFew();
    return this.#few;
  }

  async #collectFew(): Promise<readonly Stored<Resource>[] | undefined> {
    const { principal } = this.#parts;
    const most = this.#maxScanned;
    const { items, more, total = 0 } = await this.#ask({ limit: few, total: { most } });
    if (more && total > most) throw this.#tooCostly();
    if (more) return undefined;
    const found = await filterInTurns(principal.id, [items], this.#isFound).next();
    return found.value ?? [];
  }

  #tooCostly(): DomainError {
    const { type } = this.#parts;
    // With two values, too many candidates remain.
    const isSelective = (name: string) => {
      const path = type.findAny(name);
      return path === undefined || (path.attribute.type !== 'boolean' && isVisible(path));
    };
    const names = Object.keys(type.filters).map((name) => scimPath(type, `/${name.replaceAll('.', '/')}`));
    const either = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
      names.filter(isSelective).map((name) => name.replace(/\.value$/, '')),
    );
    return new DomainError(
      'query-too-costly',
      `More than ${this.#maxScanned} ${type.kind.plural} would have to be looked at for this filter. A condition with eq on ${either} leaves fewer.`,
    );
  }
}
