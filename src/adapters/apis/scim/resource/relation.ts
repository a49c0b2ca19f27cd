/**
 * Memberships as an attribute: the `members` of a group, and the `groups` of a user. No document has them; the domain is asked for them
 * (`protocol/related.ts`), and finds resources by one of their values.
 */

import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Scope } from '../../../../domain/scopes.ts';
import { maxMembersChange } from '../../../../domain/use-cases/groups.ts';
import { canonicalUuid } from '../../../../domain/validation/plain-values.ts';
import { type Attribute, attributeDefaults, textAttribute } from './attributes.ts';
import { mapAll } from './errors.ts';
import { isNamed } from './fold-name.ts';
import { invalidValue, readItem, showName } from './read-value.ts';

export interface RelationDefinition {
  readonly name: string;
  readonly description: string;
  readonly to: { readonly kind: Kind; readonly name: string; readonly endpoint: string };
  /** The `type` of its values. */
  readonly type: string;
  /** The scope that shows them, besides the scope of the resource. */
  readonly scope: Scope;
  /** True if clients can change it and see it by default in the response with one resource. Otherwise it is read-only and shown on request. */
  readonly isWritable: boolean;
}

/** The maximum number of values in a response or a change. A response leaves out a longer list: clients would take a part for the whole. */
export const maxRelated = maxMembersChange;

export function relationAttribute({
  name,
  description,
  to,
  type,
  isWritable,
}: RelationDefinition): Attribute {
  const mutability = isWritable ? 'immutable' : 'readOnly';
  const { kind } = to;
  return {
    ...{ ...attributeDefaults, name, type: 'complex', multiValued: true, description, isRelation: true },
    mutability: isWritable ? 'readWrite' : 'readOnly',
    returned: isWritable ? 'default' : 'request',
    subAttributes: [
      textAttribute('value', `The id of the ${kind.name}.`, {
        caseExact: true,
        mutability,
        required: isWritable,
      }),
      textAttribute('display', `The name of the ${kind.name}.`, { mutability: 'readOnly' }),
      textAttribute('type', `Always "${type}".`, { mutability, canonicalValues: [type] }),
      textAttribute('$ref', `The URL of the ${kind.name}.`, {
        ...{ type: 'reference', caseExact: true, mutability, referenceTypes: [to.name] },
      }),
    ],
  };
}

function assertType({ subAttributes }: Attribute, type: unknown, where: string): void {
  const isOneOf = (types: readonly string[]) =>
    typeof type === 'string' && types.some((one) => isNamed(type, one));
  if (type === '' || subAttributes.some(({ canonicalValues = [] }) => isOneOf(canonicalValues))) return;
  const types = subAttributes.flatMap(({ canonicalValues = [] }) => canonicalValues);
  throw invalidValue(`${where}.type must be ${types.join()}, not ${showName(String(type))}.`);
}

/** `{"value": id}` with the other sub-attributes of a member, or the id alone. */
function readId(attribute: Attribute, item: unknown, where: string): string {
  const read = readItem(attribute, item, where);
  assertType(attribute, read?.type ?? '', where);
  return idIn(read?.value, `${where}.value`);
}

/** @throws ScimError `invalidValue` */
function idIn(value: unknown, where: string): string {
  if (typeof value !== 'string') throw invalidValue(`${where} must be an id.`);
  const id = canonicalUuid(value);
  if (id === undefined) throw invalidValue(`${where}: ${showName(value)} is not an id.`);
  return id;
}

/**
 * The values of the relation in a body, or in the value of a PATCH operation.
 * @returns ids, each once
 * @throws ScimError `invalidValue`, `invalidSyntax`: an empty list means no values, but nothing else does, since a misunderstood body must
 * not empty a group
 */
export function readRelatedIds(attribute: Attribute, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw invalidValue(`${attribute.name} must be a list.`);
  if (value.length > maxRelated)
    throw invalidValue(`${attribute.name} must have at most ${maxRelated} values.`);
  return [...new Set(mapAll(value, (item, at) => readId(attribute, item, `${attribute.name}[${at}]`)))];
}
