/** The state of a form while a person edits a resource: every field has a value, numbers are texts, maps are lists. */

import { texts } from '../texts/texts.ts';
import {
  escapePointer,
  isList,
  isObject,
  type Json,
  type JsonObject,
  memberOf,
  readPointer,
} from './documents.ts';
import { type Field, isUserId, type ListField } from './fields.ts';

export interface DraftGroup {
  readonly [name: string]: Draft;
}
/** An entry of a map: while a person types, two entries may have the same name. */
interface DraftEntry extends DraftGroup {
  readonly name: string;
  readonly value: string;
}
export type Draft = string | boolean | undefined | readonly Draft[] | DraftGroup;

/** A text that was stored before its attribute was declared as a list has an item in each line. */
const itemsIn = (value: Json | undefined): readonly Json[] =>
  typeof value === 'string' ? value.split('\n') : isList(value) ? value : [];

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
      return itemsIn(value).map((item) => toDraft(field.item, item));
    case 'map':
      return Object.entries(isObject(value) ? value : {}).map(([name, text]) => ({
        name,
        value: String(text),
      }));
  }
}

/** A map of the members for which its group has no field. */
const isOfOthers = ({ kind, name }: Field): boolean => kind === 'map' && name === '';

const othersOf = (fields: readonly Field[], value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !fields.some((field) => field.name === name)));

export const toDraftGroup = (fields: readonly Field[], value: JsonObject): DraftGroup =>
  Object.fromEntries(
    fields.map((field) => [
      field.name,
      toDraft(field, isOfOthers(field) ? othersOf(fields, value) : memberOf(value, field.name)),
    ]),
  );

export const groupOf = (draft: Draft): DraftGroup =>
  typeof draft === 'object' && !Array.isArray(draft) ? (draft as DraftGroup) : {};
export const itemsOf = (draft: Draft): readonly Draft[] => (Array.isArray(draft) ? draft : []);
export const entriesOf = (draft: Draft): readonly DraftEntry[] => (Array.isArray(draft) ? draft : []);

const toNumber = (text: string): Json => (Number.isFinite(Number(text)) ? Number(text) : text);

/** Empty values stay in their places (`null` in a list), so that the service's pointers lead to the form's fields. */
function toDocument(field: Field, draft: Draft): Json {
  switch (field.kind) {
    case 'text':
      if (field.type === 'boolean' && (draft === 'true' || draft === 'false')) return draft === 'true';
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
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = toDocument(field, draft[field.name]);
      return isOfOthers(field) && isObject(value) ? Object.entries(value) : [[field.name, value]];
    }),
  );

/** In the form, entries of a map are numbered, since names may be missing or repeated: `/attributes/#0/name`. */
export const pointToItem = ({ kind }: ListField, pointer: string, index: number): string =>
  `${pointer}/${kind === 'map' ? '#' : ''}${index}`;

export const isUuid = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** Whether a name was typed without choosing a user: as the id of a user, or as a manager, whose draft says so (`isTyped`). */
const isUndecided = (field: Field, draft: Draft): boolean =>
  isUserId(field) ? draft !== '' && !isUuid(String(draft)) : groupOf(draft).isTyped === true;

/**
 * Mistakes that the service does not find: names for which no user was chosen, and what a map cannot express: missing or repeated names, and
 * names without a value, which the service would drop.
 * @param at the pointer of the group of the fields
 */
export function findMistakes(
  fields: readonly Field[],
  draft: DraftGroup,
  at = '',
): ReadonlyMap<string, string> {
  const mistakes = new Map<string, string>();
  for (const field of fields) {
    const pointer = `${at}/${escapePointer(field.name)}`;
    if (isUndecided(field, draft[field.name]))
      mistakes.set(field.kind === 'group' ? `${pointer}/value` : pointer, texts.form.choosePerson);
    if (field.kind === 'group')
      for (const [place, mistake] of findMistakes(field.fields, groupOf(draft[field.name]), pointer))
        mistakes.set(place, mistake);
    if (field.kind !== 'map') continue;
    const names = new Set(isOfOthers(field) ? fields.map((other) => other.name) : []);
    for (const [index, { name, value }] of entriesOf(draft[field.name]).entries()) {
      if (name === '' && value === '') continue;
      const item = pointToItem(field, pointer, index);
      if (name === '') mistakes.set(`${item}/name`, texts.form.nameMissing);
      else if (names.has(name)) mistakes.set(`${item}/name`, texts.form.nameTwice);
      else if (value === '') mistakes.set(`${item}/value`, texts.form.valueMissing);
      names.add(name);
    }
  }
  return mistakes;
}

/** Translates a pointer into the sent document to a pointer into the form. */
export function toFormPointer(fields: readonly Field[], draft: DraftGroup, pointer: string): string {
  const [first = '', name] = readPointer(pointer);
  const field = fields.find((one) => one.name === first);
  if (field?.kind === 'group' && !field.fields.some((member) => member.name === name)) {
    const inside = pointer.replace(/^\/[^/]*/, '/');
    const place = toFormPointer(field.fields, groupOf(draft[first]), inside);
    return place === inside ? pointer : `/${escapePointer(first)}${place}`;
  }
  if (field?.kind !== 'map' || name === undefined) return pointer;
  const index = entriesOf(draft[first]).findIndex((entry) => entry.name === name);
  return index === -1 ? pointer : `${pointToItem(field, `/${escapePointer(first)}`, index)}/value`;
}
