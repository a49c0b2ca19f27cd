/** What a pointer of the service leads to, in the words of the form. */
import { unescapePointer } from '../schema/documents.ts';
import type { Field } from '../schema/fields.ts';
import { labelOf } from '../schema/labels.ts';

const memberOf = (field: Field | undefined, name: string): Field | undefined => {
  if (field?.kind === 'group') return field.fields.find((member) => member.name === name);
  return field?.kind === 'list' ? field.item : undefined;
};

/** Of a map: `#0` is the first entry, and then comes its name or its value. */
const describeEntryPart = (segment: string): string =>
  segment.startsWith('#') ? String(Number(segment.slice(1)) + 1) : labelOf(segment);

/** `Emails › 1 › Value`; empty for the user as a whole. */
export function describePointer(fields: readonly Field[], pointer: string): string {
  const [first, ...rest] = pointer.split('/').slice(1).map(unescapePointer);
  if (first === undefined) return '';
  let field = fields.find(({ name }) => name === first);
  const words = [field?.label ?? first];
  for (const segment of rest) {
    const inList = field?.kind === 'list';
    field = memberOf(field, segment);
    if (inList) words.push(String(Number(segment) + 1));
    else words.push(field?.label ?? describeEntryPart(segment));
  }
  return words.join(' › ');
}
