/** What a pointer of the service leads to, in the words of the form. */
import { unescapePointer } from '../schema/documents.ts';
import type { Field } from '../schema/fields.ts';
import { texts } from '../texts/texts.ts';

/** The field of a member of an object, or of an item of a list. */
export const memberOf = (field: Field | undefined, name: string): Field | undefined => {
  if (field?.kind === 'group') return field.fields.find((member) => member.name === name);
  return field?.kind === 'list' ? field.item : undefined;
};

/** Of a map: the name of an entry as it is, or `#0` for the first one, and then its name or its value. */
function describeInMap(segments: readonly string[]): readonly string[] {
  const [entry = '', part] = segments;
  if (!entry.startsWith('#')) return segments;
  return [
    String(Number(entry.slice(1)) + 1),
    ...(part === undefined ? [] : [part === 'name' ? texts.form.entryName : texts.form.entryValue]),
  ];
}

/** The field of a member of an object, or of objects in it. */
export function fieldAt(fields: readonly Field[], [first, ...rest]: readonly string[]): Field | undefined {
  const field = fields.find(({ name }) => name === first);
  return rest.reduce<Field | undefined>(memberOf, field);
}

/** `Emails › 1 › Value`; empty for the resource as a whole. */
export function describePointer(fields: readonly Field[], pointer: string): string {
  const [first, ...rest] = pointer.split('/').slice(1).map(unescapePointer);
  if (first === undefined) return '';
  let field = fields.find(({ name }) => name === first);
  const words = [field?.label ?? first];
  for (const [index, segment] of rest.entries()) {
    if (field?.kind === 'map') return [...words, ...describeInMap(rest.slice(index))].join(' › ');
    const inList = field?.kind === 'list';
    field = memberOf(field, segment);
    words.push(inList ? String(Number(segment) + 1) : (field?.label ?? segment));
  }
  return words.join(' › ');
}
