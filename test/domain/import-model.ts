/** What an import { userDefinition } from '../support/kinds.ts';
import does, said plainly: one row after the other, over a list of users. */
import fc from 'fast-check';
import {
  type ImportMode,
  type ImportRow,
  importModes,
  type MatchMember,
  matchMembersOf,
} from '../../src/domain/import/import-options.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { userDefinition } from '../support/kinds.ts';

/** What there is to be set in a row; `title` 7 is a mistake. */
interface Cells {
  readonly id?: string;
  readonly userName?: string;
  readonly externalId?: string;
  readonly title?: string | number;
  readonly active?: boolean;
}

export interface Given {
  readonly cells: Cells;
  /** Whether the cells leave the rest as it is. */
  readonly isEdit: boolean;
}

export type Content = Omit<User, 'meta'>;

interface Counts {
  created: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

export const ids = Array.from({ length: 5 }, (_, at) => `00000000-0000-4000-8000-00000000000${at}`);
const names = ['ann', 'Bob', 'bob', 'cyd', 'dan'];
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

function withoutAbsent<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

const cells = fc
  .record({
    id: optional(fc.constantFrom(...ids)),
    userName: fc.option(fc.constantFrom(...names), { nil: undefined, freq: 8 }),
    externalId: optional(fc.constantFrom('x', 'y', 'z')),
    title: fc.option(fc.constantFrom<string | number>('t', 'u', 7), { nil: undefined }),
    active: optional(fc.boolean()),
  })
  .map((given) => withoutAbsent(given) as Cells);

export const anyRows = fc.array(fc.record({ cells, isEdit: fc.boolean() }), { maxLength: 25 });

export const anyDirectory: fc.Arbitrary<Content[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.constantFrom(...ids),
      userName: fc.constantFrom(...names),
      active: fc.boolean(),
      externalId: optional(fc.constantFrom('x', 'y')),
      title: optional(fc.constantFrom('t', 'u')),
    }),
    {
      comparator: (one, other) => one.id === other.id || isSameName(one.userName, other.userName),
      maxLength: 5,
    },
  )
  .map((users) => users.map((user) => withoutAbsent(user) as Content));

export const anyRules = fc.record({
  mode: fc.constantFrom(...importModes),
  match: fc.constantFrom(...matchMembersOf(userDefinition.kind)),
  /** Rows have names: a user whom one row has written, or found as it should be, isn't changed by another. */
  isNamed: fc.boolean(),
});

export const toRow = ({ cells, isEdit }: Given): ImportRow => ({
  value: cells,
  violations: [],
  edit: isEdit ? (current) => ({ ...current, ...cells }) : undefined,
});

const isSameName = (one = '', other = ''): boolean => one.toLowerCase() === other.toLowerCase();

const sameContent = (one: Content, other: Content): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

function findMatches(
  users: readonly Content[],
  { id, userName, externalId }: Cells,
  match: MatchMember,
): Content[] {
  if (match === 'externalId') return users.filter((user) => user.externalId === externalId);
  if (match === 'id' && id !== undefined) return users.filter((user) => user.id === id);
  return users.filter((user) => userName !== undefined && isSameName(user.userName, userName));
}

type End = keyof Counts;

/** Changes `users` as the row asks for. @param met the ids of those whom earlier rows were about */
function applyRow(
  users: Content[],
  { cells, isEdit }: Given,
  mode: ImportMode,
  match: MatchMember,
  newId: () => string,
  met: Set<string>,
): End {
  if (match === 'externalId' && cells.externalId === undefined) return 'rejected';
  const [there, ...others] = findMatches(users, cells, match);
  if (others.length > 0 || (there === undefined && mode === 'update')) return 'rejected';
  if (there !== undefined && cells.id !== undefined && cells.id !== there.id) return 'rejected';
  const base = there === undefined ? { id: newId(), active: true } : { id: there.id, active: there.active };
  const next = { ...base, ...(isEdit ? there : {}), ...cells };
  if (next.title === 7 || next.userName === undefined) return 'rejected';
  const whole = next as Content;
  if (there !== undefined && sameContent(there, whole)) {
    met.add(there.id);
    return 'unchanged';
  }
  if (there !== undefined && (mode === 'create' || met.has(there.id))) return 'rejected';
  const isTaken = users.some(
    (user) => user !== there && (isSameName(user.userName, whole.userName) || user.id === whole.id),
  );
  if (isTaken) return 'rejected';
  met.add(whole.id);
  if (there === undefined) users.push(whole);
  else users[users.indexOf(there)] = whole;
  return there === undefined ? 'created' : 'changed';
}

interface Expected {
  readonly users: readonly Content[];
  readonly counts: Counts;
  /** By their places. */
  readonly rejected: readonly number[];
}

export function importPlainly(
  before: readonly Content[],
  rows: readonly Given[],
  {
    mode,
    match,
    isNamed,
    maxRejects,
  }: { mode: ImportMode; match: MatchMember; isNamed: boolean; maxRejects?: number | undefined },
): Expected {
  const users = [...before];
  const counts: Counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };
  const rejected: number[] = [];
  const met = new Set<string>();
  let made = 0;
  for (const [at, row] of rows.entries()) {
    made += 1;
    const end = applyRow(users, row, mode, match, () => `new ${made}`, isNamed ? met : new Set());
    counts[end] += 1;
    if (end === 'rejected') rejected.push(at);
    if (rejected.length === maxRejects) break;
  }
  return { users, counts, rejected };
}
