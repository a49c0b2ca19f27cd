/** Reads the body of a PATCH (RFC 7644 §3.5.2), as the standard has it and as identity providers send it. */
import { isObject } from '../../../../domain/base/plain-values.ts';
import { patchUrn } from '../base/messages.ts';
import { compileItemFilter, type Test } from '../filter/matches.ts';
import { memory } from '../filter/remembered-keys.ts';
import type { Filter } from '../filter/syntax.ts';
import { foldName, hasUrn, isNamed } from '../resource/fold-name.ts';
import { isSchemas } from '../resource/read-resource.ts';
import { invalidSyntax, showName } from '../resource/read-value.ts';
import { findTargets } from './find-targets.ts';
import { inOperation, type Operation } from './operation.ts';
import { readListed, readOperationValue } from './read-operation-value.ts';

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
    const name = names.find((one) => isNamed(given, one));
    if (name === undefined) throw invalidSyntax(`${what} has no member ${showName(given)}.`);
    if (members.has(name)) throw invalidSyntax(`${name} is there twice.`);
    members.set(name, value);
  }
  return members;
}

const countComparisons = (filter: Filter): number => {
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.filters.reduce((sum, one) => sum + countComparisons(one), 0);
  return 'filter' in filter ? countComparisons(filter.filter) : 1;
};

/** What operations look at is counted as they are read, so that the rest of a body beyond the bounds costs nothing. */
class PatchReader {
  #targets = 0;
  #comparisons = 0;
  readonly #remember = memory();

  /** The attributes that one operation changes, each read when it is asked for. */
  *readOperation(message: unknown, index: number): Generator<Operation, void, void> {
    const members = readMembers(message, ['op', 'path', 'value'], 'An operation');
    const given = members.get('op');
    const op = typeof given === 'string' ? foldName(given) : '';
    if (!isOp(op)) throw invalidSyntax('op must be add, remove or replace.');
    const path = members.get('path') ?? '';
    if (typeof path !== 'string') throw invalidSyntax('path must be a text.');
    for (const [target, value] of findTargets(op, path, members.get('value'))) {
      if (isSchemas(target.path)) continue;
      this.#countTarget();
      const isRemoved = op === 'remove';
      yield {
        ...{ op, index, target },
        value: isRemoved ? null : readOperationValue(target, value),
        finds: this.#compile(target.filter),
        listed: isRemoved ? this.#compile(readListed(target, value)) : undefined,
      };
    }
  }

  #countTarget(): void {
    this.#targets += 1;
    if (this.#targets > maxOperations) throw invalidSyntax(`A PATCH may change ${maxOperations} attributes.`);
  }

  #compile(filter: Filter | undefined): Test | undefined {
    if (filter === undefined) return undefined;
    this.#comparisons += countComparisons(filter);
    if (this.#comparisons > maxComparisons)
      throw invalidSyntax(`The filters of a PATCH may have ${maxComparisons} comparisons together.`);
    return compileItemFilter(filter, this.#remember);
  }
}

function operationsIn(body: unknown): readonly unknown[] {
  const members = readMembers(body, ['schemas', 'Operations'], 'The body');
  if (!hasUrn(members.get('schemas'), patchUrn)) throw invalidSyntax(`schemas must have ${patchUrn}.`);
  const operations = members.get('Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('Operations must be a list of at least one operation.');
  if (operations.length > maxOperations)
    throw invalidSyntax(`Operations must have at most ${maxOperations} operations.`);
  return operations;
}

/**
 * Judges all that doesn't depend on the user, in steps between which other requests get their turn. What the operations of a body without
 * a path say of `id`, `meta`, `groups` and `schemas` is ignored.
 * @returns in the order in which they are to be done
 * @throws ScimError `invalidSyntax`, `invalidPath`, `invalidValue`, `mutability`, `noTarget`; its message says which operation
 */
export function* readPatch(body: unknown): Generator<void, readonly Operation[], void> {
  const read: Operation[] = [];
  const reader = new PatchReader();
  for (const [index, message] of operationsIn(body).entries()) {
    const operations = reader.readOperation(message, index);
    const readNext = () => inOperation(index, () => operations.next());
    for (let next = readNext(); !next.done; next = readNext()) {
      read.push(next.value);
      yield;
    }
  }
  return read;
}
