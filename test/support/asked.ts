import { expect } from 'chai';
import type { Filters } from '../../src/domain/filters.ts';
import type { Conditions } from '../../src/domain/ports.ts';
import { parseSearch } from '../../src/domain/search.ts';

/** The conditions of a search as typed; fails when it may not be asked. */
export function asked(search: string, filters: Filters = {}): Conditions {
  const terms = parseSearch(search);
  return typeof terms === 'string' ? expect.fail(`${search}: must ${terms}`) : { filters, terms };
}
