import { printNumber } from '../../language.ts';

/** Lists: search, filters, order, columns and pages. */
export const list = {
  search: { user: 'Search users', group: 'Search groups', member: 'Search members' },
  searchHelp: 'Finds words by their beginning. Press / to search.',
  filter: 'Filter',
  field: 'Field',
  comparison: 'Comparison',
  comparisons: { is: 'is', in: 'is one of', not: 'is not', empty: 'is empty', present: 'is not empty' },
  compared: (field: string, comparison: string) => `${field} ${comparison}`,
  /** Ends of ranges of declared attributes. */
  ends: { from: (field: string) => `${field} from`, to: (field: string) => `${field} to` } as Readonly<
    Record<string, (field: string) => string>
  >,
  isExactly: (field: string) => `${field} is exactly`,
  suggestions: 'Values in use',
  apply: 'Filter',
  removeFilter: (field: string) => `Remove the filter ${field}`,
  /** Labels of filters by a related group or user or by days, and what some say without a value. */
  filters: {
    group: 'Group',
    member: 'Member',
    'group empty': 'In no group',
    'group present': 'In a group',
    'member empty': 'Without members',
    'member present': 'With members',
    'lastModified.from': 'Changed since',
    'lastModified.to': 'Changed until',
    'created.from': 'Created since',
    'created.to': 'Created until',
    'validFrom.from': 'Begins on or after',
    'validFrom.to': 'Begins on or before',
    'validUntil.from': 'Ends on or after',
    'validUntil.to': 'Ends on or before',
  } as Readonly<Record<string, string>>,
  status: { true: 'Active', false: 'Inactive' },
  order: 'Order',
  asCreated: 'As created',
  upwards: (field: string) => `${field}, ascending`,
  downwards: (field: string) => `${field}, descending`,
  name: 'Name',
  nameOrder: 'By display name; people without one come last',
  views: {
    saved: (name: string) => `“${name}” is saved in this browser.`,
    title: 'Views',
    name: 'Save this list as',
    save: 'Save view',
    remove: (name: string) => `Remove the view ${name}`,
    withoutNames:
      'Without the search and filters by names, addresses and numbers of people: views stay in this browser.',
  },
  columns: 'Columns',
  findColumn: 'Find a column',
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
      'Only what matches all filters is listed. A filter finds the whole value only, not its beginning.',
    user: {
      title: 'No user matches',
      text: 'A search looks for the beginnings of words in names, email addresses, phone numbers, messengers, titles, departments, organizations and the user’s own numbers: try fewer or shorter ones.',
    },
    group: {
      title: 'No group matches',
      text: 'A search looks for the beginnings of words in the name, the description and the external id: try fewer or shorter ones.',
    },
  },
  removeFilters: 'Remove all filters',
  searchAll: 'Search without filters',
  showAll: 'Show all',
  emptyPage: 'This page is empty now',
  toFirstPage: 'Go to the first page',
  none: {
    user: 'There are no users yet',
    group: 'There are no groups yet',
    member: 'This group has no members',
  },
  create: { user: 'Create a user', group: 'Create a group' },
};
