/** The label and the hint of a field: from the catalog, or from the schema if the catalog lacks the field. */
import { language } from '../language.ts';
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

/** @param path of members from the resource on, such as `name.familyName` @param description, labels the schema's */
export function wordsOf(
  kind: Exclude<keyof typeof texts.fields, 'common'>,
  path: string,
  description: string,
  labels: Readonly<Record<string, string>> = {},
): FieldWords {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const own = labels[language] ?? labels.en;
  // Without words of its own, a declared attribute is described by its name.
  const said = `${labels.en ?? name}.`;
  const told = description.startsWith(said) ? description.slice(said.length).trim() : description;
  const known =
    own === undefined
      ? (entryOf(texts.fields[kind], path) ?? entryOf(texts.fields.common, name))
      : { label: own, hint: told };
  const { label, item = singularOf(label), hint = '' } = known ?? { label: labelOf(name), hint: told };
  return { label, item, hint };
}
