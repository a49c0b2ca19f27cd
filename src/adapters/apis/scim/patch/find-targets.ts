/** Which attributes an operation of a PATCH is about, with the value for each (RFC 7644 §3.5.2). */
import { isObject } from '../../../../domain/plain-values.ts';
import { parsePatchPath } from '../filter/parse.ts';
import { type PatchPath, SyntaxFault } from '../filter/syntax.ts';
import { findAttribute, findSchema } from '../resource/attributes.ts';
import { ScimError } from '../resource/errors.ts';
import { findForeign, namesIn, passwordRefused, unknownAttribute } from '../resource/read-resource.ts';
import { invalidValue, isEmpty } from '../resource/read-value.ts';
import { type Operation, showTarget } from './operation.ts';
import { Overlaps } from './overlaps.ts';

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
  const overlaps = new Overlaps();
  for (const [name, inner] of namesIn(value)) {
    const foreign = findForeign(name);
    if (foreign === 'password' && !isEmpty(inner)) throw passwordRefused();
    if (foreign !== undefined) continue;
    const path = findAttribute(name);
    if (path === undefined && !name.includes('[')) throw unknownAttribute(name);
    const target = path === undefined ? parseTarget(name) : { path, filter: undefined, sub: path.sub };
    // As in a POST: Okta sends the id along.
    if (isReadOnly(target)) continue;
    overlaps.add(target);
    yield [target, inner];
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

/**
 * @param path empty for none
 * @returns with the values as they were sent
 * @throws ScimError `invalidPath`, `mutability`, `noTarget`, `invalidValue`, and `invalidSyntax` for names that aren't known
 */
export function findTargets(op: Operation['op'], path: string, value: unknown): Iterable<Target> {
  if (op === 'remove' && path === '') throw new ScimError('noTarget', 'A remove operation must have a path.');
  if (op !== 'remove' && value === undefined) throw invalidValue('value is required.');
  const urn = path === '' ? undefined : findSchema(path)?.id;
  if (urn !== undefined) return targetsIn({ [urn]: op === 'remove' ? null : value });
  if (path !== '') return [[readPath(path), value]];
  if (!isObject(value)) throw invalidValue('Without a path, value must be an object.');
  return targetsIn(value);
}
