import { engine } from 'user-files';
import { memberOf } from '../form/pointers.ts';
import type { Field } from '../schema/fields.ts';
import type { KindName } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { files } from '../texts/files.ts';

const isIndex = /^\d+$/;

/**
 * The name of a column's field in forms: `Department` for `enterprise.department`, `Email address 2 › Type` for `emails.1.type`,
 * `Phone number (mobile)` of `phoneNumbers.mobile.value`. A group at the top, and the value that a group or an item is about, aren't named;
 * a name that no field has stays as it is.
 */
export function nameColumn(fields: readonly Field[], path: string): string {
  if (path.startsWith('!')) return files.opposite(nameColumn(fields, path.slice(1)));
  if (path.startsWith('@')) return files.named(nameColumn(fields, path.slice(1)));
  const [one = '', other] = path.split('+');
  if (other !== undefined) return `${nameColumn(fields, one)} + ${nameColumn(fields, other)}`;
  const [first = '', ...rest] = path.split('.');
  let field = fields.find(({ name }) => name === first);
  const map = field?.kind === 'group' ? (memberOf(field, rest[0] ?? '') ?? memberOf(field, '')) : field;
  if (map?.kind === 'map' && rest.length > 0)
    return `${map.item.label} ${path.slice(first.length + 1).replace(/\\(.)/g, '$1')}`;
  const words = field?.kind === 'group' && rest.length > 0 ? [] : [field?.label ?? first];
  for (const step of rest) {
    const isItem = field?.kind === 'list' && isIndex.test(step);
    const isType = field?.kind === 'list' && !isItem;
    field = memberOf(field, step);
    const word = field?.label ?? step;
    if (isItem) words.splice(-1, 1, step === '0' ? word : `${word} ${Number(step) + 1}`);
    else if (isType) words.splice(-1, 1, `${word} (${step})`);
    else if (step !== 'value' || words.length === 0) words.push(word);
  }
  return words.join(' › ');
}

/** The heading of a column in a file: its name in forms, or its path if an import would not read the name as this column. */
export function headingOf(kind: KindName, path: string): string {
  const name = nameColumn(fieldsOf(kind), path.replace('@', ''));
  return engine.pathOf(kind, name) === path ? name : path;
}
