/** What people call a field and what they are told of it: by the catalog, or by the schema where the catalog doesn't know the field. */
import { texts } from '../texts/texts.ts';
import { labelOf, singularOf } from './labels.ts';

export interface FieldWords {
  readonly label: string;
  /** What one item of a list is called. */
  readonly item: string;
  /** Empty: there is nothing to tell. */
  readonly hint: string;
}

type Entry = Readonly<{ label: string } & Partial<FieldWords>>;

const entryOf = (entries: Readonly<Record<string, Entry>>, key: string): Entry | undefined =>
  Object.hasOwn(entries, key) ? entries[key] : undefined;

/** @param path of members from the resource on, such as `name.familyName` @param description the schema's */
export function wordsOf(
  kind: Exclude<keyof typeof texts.fields, 'common'>,
  path: string,
  description: string,
): FieldWords {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const known = entryOf(texts.fields[kind], path) ?? entryOf(texts.fields.common, name);
  const { label, item = singularOf(label), hint = '' } = known ?? { label: labelOf(name), hint: description };
  return { label, item, hint };
}
