import { printNumber } from '../../language.ts';

/** Lists: search, filters, order, columns and pages. */
export const list = {
  search: { user: 'Search users', group: 'Search groups', member: 'Search members' },
  searchHelp: 'Finds words by their beginning. Press / to search.',
  filter: 'Filter',
  field: 'Field',
  is: (field: string) => `${field} is`,
  isExactly: (field: string) => `${field} is exactly`,
  suggestions: 'Values in use',
  apply: 'Filter',
  removeFilter: (field: string) => `Remove the filter ${field}`,
  /** Filters by a related group, or a related user. */
  filters: {
    group: 'Group',
    member: 'Member',
    'lastModified.from': 'Changed since',
    'lastModified.to': 'Changed until',
    'created.from': 'Created since',
    'created.to': 'Created until',
  } as Readonly<Record<string, string>>,
  active: 'Active',
  inactive: 'Inactive',
  yes: 'yes',
  no: 'no',
  order: 'Order',
  asCreated: 'As created',
  upwards: (field: string) => `${field}, ascending`,
  downwards: (field: string) => `${field}, descending`,
  columns: 'Columns',
  usualColumns: 'Reset columns',
  selectPage: 'Select all on this page',
  select: (name: string) => `Select ${name}`,
  perPage: 'Rows per page',
  range: (from: number, to: number) => `${printNumber(from)}–${printNumber(to)}`,
  rangeOf: (from: number, to: number, all: string) => `${printNumber(from)}–${printNumber(to)} of ${all}`,
  pages: 'Pages',
  page: { first: 'First page', prev: 'Previous page', next: 'Next page', last: 'Last page' },
  noMatch: {
    filters:
      'A filter finds the whole value only, not its beginning. Remove a filter, or choose another value.',
    user: {
      title: 'No user matches',
      text: 'Each search word must be the beginning of a word in the user’s data. Try fewer or shorter words.',
    },
    group: {
      title: 'No group matches',
      text: 'Each search word must be the beginning of a word in the group’s data. Try fewer or shorter words.',
    },
  },
  showAll: 'Show all',
  emptyPage: 'This page is empty now',
  toFirstPage: 'Go to the first page',
  none: {
    user: 'There are no users yet',
    group: 'There are no groups yet',
    member: 'This group has no members',
  },
  create: { user: 'Create a user', group: 'Create a group' },
  noGroups: 'None',
  allGroups: 'All groups of this user',
};
