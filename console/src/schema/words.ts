/** The label and the hint of a field: from the catalog, or from the schema if the catalog lacks the field. */
import { texts } from '../texts/texts.ts';
import { labelOf, singularOf } from './labels.ts';

interface FieldWords {
  readonly label: string;
  /** The name of one item of a list. */
  readonly item: string;
  /** Empty: no hint. */
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
