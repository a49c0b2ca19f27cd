/** An operation of a PATCH (RFC 7644 §3.5.2), and the attributes that it changes. `../filter/parse.ts` parses its path. */
import { isObject } from '../../../../domain/validation/plain-values.ts';
import type { FilterTest } from '../filter/matches.ts';
import { parsePatchPath } from '../filter/parse.ts';
import { type PatchPath, type ScimFilter, SyntaxFault } from '../filter/syntax.ts';
import { showPath, unlessHidden } from '../resource/attributes.ts';
import { ScimError } from '../resource/errors.ts';
import { namesIn, unknownAttribute } from '../resource/read-resource.ts';
import { invalidSyntax, invalidValue, isEmpty } from '../resource/read-value.ts';
import type { ResourceType } from '../resource/resource-type.ts';

/** The change of one attribute, from a PATCH operation (RFC 7644 §3.5.2). An operation without a path yields several. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  /** The operation's index in the list. */
  readonly index: number;
  readonly target: PatchPath;
  /** In the model's names and types. Null removes the target, or within an object the sub-attribute. */
  readonly value: unknown;
  /** Matches the items selected by the target's filter; undefined without a filter. */
  readonly finds: FilterTest | undefined;
  /** For `remove`: matches the list items to remove; undefined removes the whole target. */
  readonly listed: FilterTest | undefined;
}

/** The target's name in errors, without the content of its filter. */
export function showTarget({ path, filter, sub }: PatchPath): string {
  const attribute = showPath({ ...path, sub: undefined });
  return `${attribute}${filter === undefined ? '' : '[…]'}${sub === undefined ? '' : `.${sub.name}`}`;
}

/** Adds the operation's index to a ScimError thrown by `run`. */
export function inOperation<T>(index: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    const details = error.details.map((detail) => `Operations[${index}]: ${detail}`);
    throw new ScimError(error.scimType, details, error.isLimit);
  }
}

/** Equal for filters that differ only in white space and in the spelling of names. */
const keyOf = (filter: ScimFilter | undefined): string =>
  filter === undefined
    ? ''
    : JSON.stringify(filter, (name, value: unknown) =>
        name === 'path' ? showPath(value as PatchPath['path']) : value,
      );

interface Named {
  readonly target: PatchPath;
  /** The key of its filter. */
  readonly key: string;
}

/**
 * The attributes in a value without a path. Object members are unordered (RFC 8259 §4), so no two may set the same attribute. Different filters may
 * match the same item, depending on the stored list; then the later one counts.
 * @throws ScimError `invalidSyntax` if the attribute, its parent or a part of it was named before
 */
function assertApart({ target, key }: Named, before: readonly Named[]): void {
  const { path, sub } = target;
  for (const other of before) {
    if (other.target.path.attribute !== path.attribute) continue;
    // Without a filter, it overlaps every filter.
    if (key !== '' && other.key !== '' && key !== other.key) continue;
    if (other.target.sub === sub) throw invalidSyntax(`${showTarget(target)} occurs more than once.`);
    if (sub === undefined || other.target.sub === undefined)
      throw invalidSyntax(`${showPath({ ...path, sub: undefined })} is there as a whole and in part.`);
  }
}

const isReadOnly = ({ path, sub }: PatchPath): boolean =>
  path.attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly';

function parseTarget(type: ResourceType, path: string): PatchPath {
  try {
    return parsePatchPath(type, path);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    throw new ScimError('invalidPath', error.message);
  }
}

/** An attribute that is looked up on demand, since each lookup may find a mistake of its own. Undefined for an ignored attribute. */
type Target = readonly [find: () => PatchPath | undefined, value: unknown];

/** Entra ID writes paths as names: `"name.familyName"`, `"emails[type eq \"work\"].value"`. */
function findNamed(type: ResourceType, name: string, value: unknown): PatchPath | undefined {
  const foreign = type.findForeign(name);
  if (foreign !== undefined && !isEmpty(value)) throw invalidValue(foreign.refusal);
  if (foreign !== undefined) return undefined;
  const path = type.findAny(name);
  if (path === undefined && !name.includes('[')) throw unknownAttribute(type, name);
  const target = path === undefined ? parseTarget(type, name) : { path, filter: undefined, sub: path.sub };
  // As in a POST: Okta sends the id as well.
  if (isReadOnly(target)) return undefined;
  unlessHidden(target.path);
  return target;
}

/** The targets of an operation without a path. */
function* targetsIn(type: ResourceType, value: Readonly<Record<string, unknown>>): Generator<Target> {
  const before: Named[] = [];
  for (const [name, inner] of namesIn(type, value)) {
    const find = () => {
      const target = findNamed(type, name, inner);
      if (target === undefined) return undefined;
      const named = { target, key: keyOf(target.filter) };
      assertApart(named, before);
      before.push(named);
      return target;
    };
    yield [find, inner];
  }
}

function readPath(type: ResourceType, path: string): PatchPath {
  const foreign = type.findForeign(path);
  if (foreign !== undefined) throw invalidValue(foreign.refusal);
  const target = parseTarget(type, path);
  if (isReadOnly(target)) throw new ScimError('mutability', `${showTarget(target)} is read-only.`);
  return target;
}

/**
 * Finds the attributes that an operation changes.
 * @param path empty for none
 * @returns targets with the values as sent
 * @throws ScimError `noTarget`, `invalidValue`; where a target is found, also `invalidPath`, `mutability`, and `invalidSyntax` for unknown names
 */
export function findTargets(
  type: ResourceType,
  op: PatchOperation['op'],
  path: string,
  value: unknown,
): Iterable<Target> {
  if (op === 'remove' && path === '') throw new ScimError('noTarget', 'A remove operation must have a path.');
  if (op !== 'remove' && value === undefined) throw invalidValue('value is required.');
  const urn = path === '' ? undefined : type.findSchema(path)?.id;
  if (urn !== undefined) return targetsIn(type, { [urn]: op === 'remove' ? null : value });
  if (path !== '') return [[() => readPath(type, path), value]];
  if (!isObject(value)) throw invalidValue('Without a path, value must be an object.');
  return targetsIn(type, value);
}
