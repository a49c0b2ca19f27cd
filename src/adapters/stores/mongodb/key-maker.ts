/** What made the keys that lie beside a user: a mapping of names, and a set of filters. */
import { filterNames } from '../../../domain/filters.ts';
import { mappingVersion } from '../../../domain/user-name.ts';

/** This release, as a document names it: `1 active,email,…`. */
export const keyMaker = `${mappingVersion} ${[...filterNames].sort().join()}`;

/**
 * What keys made by `maker` are to this release. Those for more filters serve as well: so a process of the release
 * before, started again during an upgrade, undoes nothing.
 */
export function standing(maker: string): 'usable' | 'outdated' | 'newer' {
  const [mapping, names = ''] = maker.split(' ');
  if (Number(mapping) > mappingVersion) return 'newer';
  const made = new Set(names.split(','));
  const isComplete = filterNames.every((name) => made.has(name));
  return Number(mapping) === mappingVersion && isComplete ? 'usable' : 'outdated';
}
