/** Where scim-patch does something else than RFC 7644 has it, or than we do where the RFC leaves it open: each with its section. */

import { compileItemFilter, keyMemory } from '../../src/adapters/apis/scim/filter/matches.ts';
import type { PatchPath, ScimFilter } from '../../src/adapters/apis/scim/filter/syntax.ts';
import { parsePatchPath } from '../support/scim-users.ts';
import { enterprise, type PatchOperation, type Resource } from './patch-cases.ts';

export interface Difference {
  readonly says: string;
  readonly section: string;
  /** @param resource before the operation */
  readonly concerns: (resource: Resource, operation: PatchOperation) => boolean;
}

type Item = Readonly<Record<string, unknown>>;

interface Change {
  readonly op: string;
  readonly target: PatchPath;
  readonly value: unknown;
  /** Before it. */
  readonly there: unknown;
  /** The same of a list; empty for all else. */
  readonly items: readonly Item[];
  readonly found: readonly Item[];
}

const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function changeOf(resource: Resource, { op, path = '', value }: PatchOperation): Change {
  const target = parsePatchPath(path);
  const { extension, attribute } = target.path;
  const within = extension === undefined ? resource : resource[extension];
  const there = isObject(within) ? within[attribute.name] : undefined;
  const items = Array.isArray(there) ? (there as Item[]) : [];
  const { filter } = target;
  const found = filter === undefined ? items : items.filter(compileItemFilter(filter, keyMemory()));
  return { op: op.toLowerCase(), target, value, there, items, found };
}

/** The operation for each of its paths. */
function split(operation: PatchOperation): PatchOperation[] {
  const { op, path, value } = operation;
  if (path !== undefined || !isObject(value)) return [operation];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === enterprise ? [] : [{ op, path: name, value: inner }],
  );
}

const isOneEq = (filter: ScimFilter): boolean => filter.kind === 'compare' && filter.operator === 'eq';
const writes = ({ op }: Change): boolean => op !== 'remove';
const findsNothing = ({ target, found }: Change): boolean =>
  target.filter !== undefined && found.length === 0;
const isSame = (one: Item, other: Item): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
const sorted = (item: Item): [string, unknown][] =>
  Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1));

/** Of one path at a time. */
const ofChange =
  (concerns: (change: Change) => boolean): Difference['concerns'] =>
  (resource, operation) =>
    split(operation).some((one) => concerns(changeOf(resource, one)));

/** Items that are added to a list. */
const added = ({ op, target, value }: Change): readonly Item[] =>
  op === 'add' && target.filter === undefined && Array.isArray(value) ? (value as Item[]) : [];

const given = ({ target, value }: Change): readonly unknown[] => {
  if (target.sub?.name === 'primary') return [{ primary: value }];
  return Array.isArray(value) ? value : [value];
};

export const differences: readonly Difference[] = [
  {
    says: 'without a path, an object replaces the whole attribute, and that of an extension stands elsewhere',
    section: 'RFC 7644 §3.5.2.3: sub-attributes that are not specified are left unchanged',
    concerns: (resource, { op, path, value }) => {
      if (path !== undefined || !isObject(value)) return false;
      return Object.entries(value).some(([name, inner]) => {
        if (!isObject(inner) || name === enterprise) return isObject(inner);
        const { there } = changeOf(resource, { op, path: name });
        const isMore = isObject(there) && Object.keys(there).some((sub) => !Object.hasOwn(inner, sub));
        return isMore || Object.keys(value).some((other) => other.startsWith(`${name}.`));
      });
    },
  },
  {
    says: 'without a path, what is added to a list is doubled',
    section: 'RFC 7644 §3.5.2.1: if the value is there, nothing changes',
    concerns: (resource, operation) =>
      operation.path === undefined &&
      ofChange((change) => added(change).some((item) => change.items.some((one) => isSame(one, item))))(
        resource,
        operation,
      ),
  },
  {
    says: 'a value of the same type occurs more than once, since one says more of it than the other',
    section: 'RFC 7643 §2.4: the same type and value should be there once',
    concerns: ofChange((change) =>
      added(change).some((item) =>
        change.items.some(
          (one) =>
            !isSame(one, item) &&
            (item.name === undefined
              ? one.value === item.value && one.type === item.type
              : one.name === item.name),
        ),
      ),
    ),
  },
  {
    says: 'two are primary',
    section: 'RFC 7644 §3.5.2: what sets primary takes it from the others',
    concerns: ofChange(
      (change) =>
        writes(change) &&
        given(change).some((item) => isObject(item) && item.primary === true) &&
        (change.found.length > 1 || change.items.some(({ primary }) => primary === true)),
    ),
  },
  {
    says: 'a removal by a filter that finds nothing is done',
    section: 'RFC 7644 §3.12, table 9: noTarget, when a filter yields no match',
    concerns: ofChange((change) => !writes(change) && findsNothing(change)),
  },
  {
    says: 'a removal of listed values from a list that is not there is refused',
    section: 'RFC 7644 §3.5.2.2 has no value in a removal, and none of what is not there as an error',
    concerns: ofChange(
      ({ op, value, items }) => op === 'remove' && value !== undefined && items.length === 0,
    ),
  },
  {
    says: 'what is required is removed',
    section: 'RFC 7644 §3.5.2.2: mutability',
    concerns: ofChange(({ op, target }) => {
      const { attribute } = target.path;
      return op === 'remove' && (target.sub ?? attribute).name.match(/^(userName|active)$/) !== null;
    }),
  },
  {
    says: 'an item stays without the value that it is nothing without',
    section: 'RFC 7644 §3.5.2.2: what is required can not become unassigned; we take the item away',
    concerns: ofChange(({ op, target }) => op === 'remove' && target.sub?.required === true),
  },
  {
    says: 'an item is made from a filter of one eq term only, and only with a sub-attribute behind it',
    section: 'RFC 7644 §3.5.2.3: noTarget; Entra ID expects the item',
    concerns: ofChange(
      (change) =>
        writes(change) &&
        findsNothing(change) &&
        change.target.filter !== undefined &&
        (!isOneEq(change.target.filter) || change.target.sub === undefined),
    ),
  },
  {
    says: 'an item is made that the filter does not find',
    section: 'RFC 7644 §3.5.2.3: noTarget',
    concerns: ofChange(({ op, target, value, found }) => {
      const { filter, sub } = target;
      if (op === 'remove' || filter === undefined || sub === undefined || found.length > 0) return false;
      return filter.kind === 'compare' && filter.path.sub === sub && filter.value !== value;
    }),
  },
];
