/** The state of a form while a person edits a resource: every field has a value, numbers are texts, maps are lists. */

import { texts } from '../texts/texts.ts';
import { escapePointer, isList, isObject, type Json, type JsonObject, readPointer } from './documents.ts';
import type { Field, ListField } from './fields.ts';

export interface DraftGroup {
  readonly [name: string]: Draft;
}
/** An entry of a map: while a person types, two entries may have the same name. */
interface DraftEntry extends DraftGroup {
  readonly name: string;
  readonly value: string;
}
export type Draft = string | boolean | undefined | readonly Draft[] | DraftGroup;

export function toDraft(field: Field, value: Json | undefined): Draft {
  switch (field.kind) {
    case 'text':
    case 'number':
      return value === undefined || value === null ? '' : String(value);
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'group':
      return toDraftGroup(field.fields, isObject(value) ? value : {});
    case 'list':
      return isList(value) ? value.map((item) => toDraft(field.item, item)) : [];
    case 'map':
      return Object.entries(isObject(value) ? value : {}).map(([name, text]) => ({
        name,
        value: String(text),
      }));
  }
}

export const toDraftGroup = (fields: readonly Field[], value: JsonObject): DraftGroup =>
  Object.fromEntries(fields.map((field) => [field.name, toDraft(field, value[field.name])]));

export const groupOf = (draft: Draft): DraftGroup =>
  typeof draft === 'object' && !Array.isArray(draft) ? (draft as DraftGroup) : {};
export const itemsOf = (draft: Draft): readonly Draft[] => (Array.isArray(draft) ? draft : []);
export const entriesOf = (draft: Draft): readonly DraftEntry[] => (Array.isArray(draft) ? draft : []);

const toNumber = (text: string): Json => (Number.isFinite(Number(text)) ? Number(text) : text);

/** Empty values stay in their places (`null` in a list), so that the service's pointers lead to the form's fields. */
function toDocument(field: Field, draft: Draft): Json {
  switch (field.kind) {
    case 'text':
      return typeof draft === 'string' ? draft : '';
    case 'number':
      return typeof draft === 'string' && draft.trim() !== '' ? toNumber(draft) : '';
    case 'flag':
      return typeof draft === 'boolean' ? draft : null;
    case 'group':
      return toDocumentGroup(field.fields, groupOf(draft));
    case 'list':
      return itemsOf(draft).map((item) => toDocument(field.item, item));
    case 'map':
      return Object.fromEntries(entriesOf(draft).map(({ name, value }) => [name, value]));
  }
}

export const toDocumentGroup = (fields: readonly Field[], draft: DraftGroup): JsonObject =>
  Object.fromEntries(fields.map((field) => [field.name, toDocument(field, draft[field.name])]));

/** In the form, entries of a map are numbered, since names may be missing or repeated: `/attributes/#0/name`. */
export const pointToItem = ({ kind }: ListField, pointer: string, index: number): string =>
  `${pointer}/${kind === 'map' ? '#' : ''}${index}`;

/** Mistakes that a map cannot express: missing or repeated names, and names without a value, which the service would drop. */
export function findMapMistakes(fields: readonly Field[], draft: DraftGroup): ReadonlyMap<string, string> {
  const mistakes = new Map<string, string>();
  for (const field of fields) {
    if (field.kind !== 'map') continue;
    const names = new Set<string>();
    for (const [index, { name, value }] of entriesOf(draft[field.name]).entries()) {
      if (name === '' && value === '') continue;
      const at = pointToItem(field, `/${escapePointer(field.name)}`, index);
      if (name === '') mistakes.set(`${at}/name`, texts.form.nameMissing);
      else if (names.has(name)) mistakes.set(`${at}/name`, texts.form.nameTwice);
      else if (value === '') mistakes.set(`${at}/value`, texts.form.valueMissing);
      names.add(name);
    }
  }
  return mistakes;
}

/** Translates a pointer into the sent document to a pointer into the form. */
export function toFormPointer(fields: readonly Field[], draft: DraftGroup, pointer: string): string {
  const [first = '', name] = readPointer(pointer);
  const field = fields.find((one) => one.name === first);
  if (field?.kind !== 'map' || name === undefined) return pointer;
  const index = entriesOf(draft[first]).findIndex((entry) => entry.name === name);
  return index === -1 ? pointer : `${pointToItem(field, `/${escapePointer(first)}`, index)}/value`;
}
