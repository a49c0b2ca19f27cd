/** Translates the service's pointers into the words of the form. */
import { readPointer } from '../schema/documents.ts';
import type { Field, GroupField } from '../schema/fields.ts';
import { managerPath } from '../schema/kinds.ts';

/** The field of a member of an object, or of an item of a list. */
export const memberOf = (field: Field | undefined, name: string): Field | undefined => {
  if (field?.kind === 'group') return field.fields.find((member) => member.name === name);
  return field?.kind === 'list' || (field?.kind === 'map' && name.startsWith('#')) ? field.item : undefined;
};

/** The field of a member of an object, or of objects in it. */
export function fieldAt(fields: readonly Field[], [first, ...rest]: readonly string[]): Field | undefined {
  const field = fields.find(({ name }) => name === first);
  return rest.reduce<Field | undefined>(memberOf, field);
}

/** A person is one field. */
const isDivided = (field: Field): field is GroupField => field.kind === 'group' && field.path !== managerPath;

/** All fields except those inside lists, with those of groups in the places of these. */
export const spread = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => (isDivided(field) ? spread(field.fields) : [field]));

/** `Emails › 1 › Value`, but `Department` for `/enterprise/department` if no other field has the name; empty for the resource as a whole. */
export function describePointer(fields: readonly Field[], pointer: string): string {
  const [first, ...rest] = readPointer(pointer);
  if (first === undefined) return '';
  let field = fields.find(({ name }) => name === first);
  const member = field && isDivided(field) ? memberOf(field, rest[0] ?? '') : undefined;
  const isAlone = [...fields, ...spread(fields)].every(
    (one) => one === member || one.label !== member?.label,
  );
  const words = member && isAlone ? [] : [field?.label ?? first];
  for (const segment of rest) {
    // The form numbers the entries of a map (`#0`); the service names them.
    const isCounted = field?.kind === 'list' || (field?.kind === 'map' && segment.startsWith('#'));
    field = memberOf(field, segment);
    // Undeclared attributes are below an empty name.
    if (segment !== '')
      words.push(isCounted ? String(Number(segment.replace('#', '')) + 1) : (field?.label ?? segment));
  }
  return words.join(' › ');
}
