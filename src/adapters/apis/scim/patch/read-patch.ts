/** Reads the body of a PATCH (RFC 7644 §3.5.2), as the standard has it and as identity providers send it. */
import { isObject } from '../../../../domain/plain-values.ts';
import type { Filter } from '../filter/syntax.ts';
import { isSchemas } from '../resource/read-resource.ts';
import { invalidSyntax, showName } from '../resource/read-value.ts';
import { findTargets } from './find-targets.ts';
import { inOperation, type Operation } from './operation.ts';
import { readListed, readOperationValue } from './read-operation-value.ts';

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Of a PATCH, also of attributes that it names without a path: more than a user has of both. Each may look at a list of 100. */
export const maxOperations = 500;
/** In all filters of a PATCH together: each is made with up to 100 items. */
export const maxComparisons = 500;

type Op = Operation['op'];
const isOp = (op: string): op is Op => op === 'add' || op === 'remove' || op === 'replace';

type Name = 'schemas' | 'Operations' | 'op' | 'path' | 'value';

/** The members of a message by the standard's names: clients write them in any case of letters. */
function readMembers(message: unknown, names: readonly Name[], what: string): ReadonlyMap<Name, unknown> {
  if (!isObject(message)) throw invalidSyntax(`${what} must be an object.`);
  const members = new Map<Name, unknown>();
  for (const [given, value] of Object.entries(message)) {
    const name = names.find((one) => one.toLowerCase() === given.toLowerCase());
    if (name === undefined) throw invalidSyntax(`${what} has no member ${showName(given)}.`);
    if (members.has(name)) throw invalidSyntax(`${name} is there twice.`);
    members.set(name, value);
  }
  return members;
}

const countComparisons = (filter: Filter | undefined): number => {
  if (filter === undefined) return 0;
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.filters.reduce((sum, one) => sum + countComparisons(one), 0);
  return 'filter' in filter ? countComparisons(filter.filter) : 1;
};

function assertBounds(operations: readonly Operation[]): void {
  if (operations.length > maxOperations)
    throw invalidSyntax(`A PATCH may change ${maxOperations} attributes.`);
  const comparisons = operations.reduce(
    (sum, { target, listed }) => sum + countComparisons(target.filter) + countComparisons(listed),
    0,
  );
  if (comparisons > maxComparisons)
    throw invalidSyntax(`The filters of a PATCH may have ${maxComparisons} comparisons together.`);
}

function readOperation(message: unknown, index: number): Operation[] {
  const members = readMembers(message, ['op', 'path', 'value'], 'An operation');
  const given = members.get('op');
  const op = typeof given === 'string' ? given.toLowerCase() : '';
  if (!isOp(op)) throw invalidSyntax('op must be add, remove or replace.');
  const path = members.get('path') ?? '';
  if (typeof path !== 'string') throw invalidSyntax('path must be a text.');
  const targets = [...findTargets(op, path, members.get('value'))];
  return targets
    .filter(([target]) => !isSchemas(target.path))
    .map(([target, value]) => ({
      ...{ op, index, target },
      ...(op === 'remove'
        ? { value: null, listed: readListed(target, value) }
        : { value: readOperationValue(target, value), listed: undefined }),
    }));
}

function assertPatchOp(urns: unknown): void {
  const isNamed =
    Array.isArray(urns) &&
    urns.some((urn) => typeof urn === 'string' && urn.toLowerCase() === patchUrn.toLowerCase());
  if (!isNamed) throw invalidSyntax(`schemas must have ${patchUrn}.`);
}

/**
 * Judges all that doesn't depend on the user. What the operations of a body without a path say of `id`, `meta`, `groups` and `schemas` is
 * ignored.
 * @returns in the order in which they are to be done
 * @throws ScimError `invalidSyntax`, `invalidPath`, `invalidValue`, `mutability`, `noTarget`; its message says which operation
 */
export function readPatch(body: unknown): readonly Operation[] {
  const members = readMembers(body, ['schemas', 'Operations'], 'The body');
  assertPatchOp(members.get('schemas'));
  const operations = members.get('Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('Operations must be a list of at least one operation.');
  if (operations.length > maxOperations)
    throw invalidSyntax(`Operations must have at most ${maxOperations} operations.`);
  const read = operations.flatMap((message: unknown, index) =>
    inOperation(index, () => readOperation(message, index)),
  );
  assertBounds(read);
  return read;
}
