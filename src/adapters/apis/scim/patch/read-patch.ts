/** Reads the body of a PATCH (RFC 7644 §3.5.2), as the standard has it and as identity providers send it. */
import { isObject } from '../../../../domain/plain-values.ts';
import { type Attribute, findAttribute } from '../attributes.ts';
import { ScimError } from '../errors.ts';
import { parsePatchPath } from '../filter/parse.ts';
import { type PatchPath, SyntaxFault } from '../filter/syntax.ts';
import {
  findForeign,
  findSchema,
  isSchemas,
  namesIn,
  passwordRefused,
  unknownAttribute,
} from '../read-resource.ts';
import { invalidSyntax, invalidValue, isEmpty, readItem, readValue, showName } from '../read-value.ts';
import { inOperation, type Operation, showTarget } from './operation.ts';

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** More than a user has attributes and items of lists; and each takes its time. */
export const maxOperations = 1000;

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

/** Entra ID once sent each value so: `[{"$ref": null, "value": "x"}]`. */
function unwrapValue(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, 'value')) return value;
  return Object.keys(value).every((name) => name === 'value' || name === '$ref') ? value.value : value;
}

const unwrapList = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;

function unwrap({ type, multiValued }: Attribute, value: unknown): unknown {
  if (multiValued) return Array.isArray(value) || isEmpty(value) ? value : [value];
  return type === 'complex' ? unwrapList(value) : unwrapValue(unwrapList(value));
}

function readTargetValue(target: PatchPath, value: unknown): unknown {
  const { path, filter, sub } = target;
  const where = showTarget(target);
  if (sub !== undefined) return readValue(sub, unwrap(sub, value), where);
  if (filter !== undefined) return readItem(path.attribute, unwrapList(value), where);
  return readValue(path.attribute, unwrap(path.attribute, value), where);
}

/**
 * Of `remove`, which by the standard has no value: Entra ID and others list there which items of a list are to go. For all else it is
 * ignored, as the standard has it.
 */
function readRemoved(target: PatchPath, value: unknown): unknown {
  const { path, filter, sub } = target;
  const isNarrowed = path.attribute.multiValued && filter === undefined && sub === undefined;
  if (!isNarrowed || value === undefined || isEmpty(value)) return null;
  const listed = readTargetValue(target, value) as readonly unknown[];
  if (listed.length === 0) throw invalidValue(`${showTarget(target)} must say which of them are to go.`);
  return listed;
}

const isReadOnly = ({ path, sub }: PatchPath): boolean =>
  path.attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly';

const readOnly = (where: string) => new ScimError('mutability', `${where} is read-only.`);

function parseTarget(path: string): PatchPath {
  try {
    return parsePatchPath(path);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    throw new ScimError('invalidPath', error.message);
  }
}

type Target = readonly [target: PatchPath, value: unknown];

/** Of an operation without a path. Entra ID writes paths as names: `"name.familyName"`, `"emails[type eq \"work\"].value"`. */
function* targetsIn(value: Readonly<Record<string, unknown>>): Generator<Target> {
  const seen = new Set<string>();
  for (const [name, inner] of namesIn(value)) {
    const foreign = findForeign(name);
    if (foreign === 'password' && !isEmpty(inner)) throw passwordRefused();
    if (foreign !== undefined) continue;
    const path = findAttribute(name);
    if (path === undefined && !name.includes('[')) throw unknownAttribute(name);
    const target = path === undefined ? parseTarget(name) : { path, filter: undefined, sub: path.sub };
    const where = showTarget(target);
    if (target.filter === undefined && seen.has(where)) throw invalidSyntax(`${where} is there twice.`);
    seen.add(where);
    // As in a POST: Okta sends the id along.
    if (!isReadOnly(target)) yield [target, inner];
  }
}

function readPath(path: string): PatchPath {
  const foreign = findForeign(path);
  if (foreign === 'password') throw passwordRefused();
  if (foreign === 'groups') throw readOnly('groups');
  const target = parseTarget(path);
  if (isReadOnly(target)) throw readOnly(showTarget(target));
  return target;
}

function findTargets(op: Op, path: string, value: unknown): Iterable<Target> {
  if (op === 'remove' && path === '') throw new ScimError('noTarget', 'A remove operation must have a path.');
  if (op !== 'remove' && value === undefined) throw invalidValue('value is required.');
  const urn = path === '' ? undefined : findSchema(path)?.id;
  if (urn !== undefined) return targetsIn({ [urn]: op === 'remove' ? null : value });
  if (path !== '') return [[readPath(path), value]];
  if (!isObject(value)) throw invalidValue('Without a path, value must be an object.');
  return targetsIn(value);
}

function readOperation(message: unknown, index: number): Operation[] {
  const members = readMembers(message, ['op', 'path', 'value'], 'An operation');
  const given = members.get('op');
  const op = typeof given === 'string' ? given.toLowerCase() : '';
  if (!isOp(op)) throw invalidSyntax('op must be add, remove or replace.');
  const path = members.get('path') ?? '';
  if (typeof path !== 'string') throw invalidSyntax('path must be a text.');
  const read = op === 'remove' ? readRemoved : readTargetValue;
  return [...findTargets(op, path, members.get('value'))]
    .filter(([target]) => !isSchemas(target.path))
    .map(([target, value]) => ({ op, index, target, value: read(target, value) }));
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
  return operations.flatMap((message: unknown, index) =>
    inOperation(index, () => readOperation(message, index)),
  );
}
