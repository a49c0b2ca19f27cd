/**
 * The types of the attributes that an installation declares (kinds/attributes/): what their values are, the texts that mean them, and the
 * keys by which stores compare them. Stores know nothing of types.
 *
 * A value has one text, in every format: `String(value)`. A text in any lexical form of XML Schema means the same value, so a client may
 * send `"42"`, `042` or `42`; what is stored and shown is canonical.
 */

import { IsDate } from 'typebox/format';
import { lowerCase } from '../unicode/case-mapping.ts';
import { canonicalDate, canonicalUuid, isObject, uuidPattern } from './plain-values.ts';

/** The member that holds them. */
export const attributesMember = 'attributes';

/** The limit for every list, whatever its declaration says. */
export const mostItems = 100;

/** The attributes of a resource; empty if it has none. */
export function attributesOf(resource: unknown): Readonly<Record<string, unknown>> {
  const attributes = isObject(resource) ? resource[attributesMember] : undefined;
  return isObject(attributes) ? attributes : {};
}

export const attributeTypeNames = [
  'string',
  'boolean',
  'integer',
  'decimal',
  'date',
  'dateTime',
  'user',
] as const;
export type AttributeTypeName = (typeof attributeTypeNames)[number];

/** One value, or an item of a list. Dates and ids are texts. */
export type AttributeValue = string | number | boolean;

interface AttributeType {
  /** The JSON Schema of one value. */
  readonly schema: object;
  /** What the text means; undefined unless it is in a lexical form of the type. */
  readonly read: (text: string) => AttributeValue | undefined;
  /** The end of "must …" for other texts. Left out: any text is a value. */
  readonly must?: string;
  /** Values are equal if their keys are, and in the order of their keys by code points. */
  readonly key: (value: AttributeValue) => string;
  /** A text of the value with this key. Left out: the key itself. */
  readonly text?: (key: string) => string;
  /** It has ranges. */
  readonly isOrdered: boolean;
}

/** As `must`, of dates and times with a zone. */
export const beInstant = 'be a date and time with a zone, such as 2026-01-02T03:04:05Z';

/** The maximum number of digits of a decimal: JSON clients keep this many (IEEE 754 binary64). */
const maxDigits = 15;

const sign = 1n << 63n;

/** The order of numbers as that of texts: the bits of an IEEE 754 number, inverted below zero. */
function numberKey(value: AttributeValue): string {
  const view = new DataView(new ArrayBuffer(8));
  // Adding zero makes one of both zeros.
  view.setFloat64(0, Number(value) + 0);
  const bits = view.getBigUint64(0);
  const ordered = (bits & sign) === 0n ? bits | sign : BigInt.asUintN(64, ~bits);
  return ordered.toString(16).padStart(16, '0');
}

/** The inverse. */
function numberText(key: string): string {
  const [ordered, view] = [BigInt(`0x${key}`), new DataView(new ArrayBuffer(8))];
  view.setBigUint64(0, (ordered & sign) === 0n ? BigInt.asUintN(64, ~ordered) : ordered ^ sign);
  return String(view.getFloat64(0));
}

const numberForm = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/;

function readNumber(text: string): number | undefined {
  const word = text.trim();
  return numberForm.test(word) ? Number(word) + 0 : undefined;
}

const truths: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false };

const readDate = (text: string): string | undefined => {
  const word = text.trim();
  return IsDate(word) ? word : undefined;
};

const beDate = 'be a date such as 2026-01-31';
const beId = 'be the id of a user';
const beInteger = 'be a whole number';

export const attributeTypes: Readonly<Record<AttributeTypeName, AttributeType>> = {
  string: {
    schema: { type: 'string', minLength: 1 },
    read: (text) => text,
    key: (value) => lowerCase(String(value)),
    isOrdered: false,
  },
  boolean: {
    schema: { type: 'boolean' },
    read: (text) => truths[text.trim()],
    must: 'be true or false',
    key: String,
    isOrdered: false,
  },
  integer: {
    schema: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    read: (text) => {
      const value = readNumber(text);
      return Number.isSafeInteger(value) ? value : undefined;
    },
    must: beInteger,
    key: numberKey,
    text: numberText,
    isOrdered: true,
  },
  decimal: {
    schema: { type: 'number' },
    read: readNumber,
    must: 'be a number, without an exponent',
    key: numberKey,
    text: numberText,
    isOrdered: true,
  },
  date: {
    schema: { type: 'string', format: 'date', must: beDate },
    read: readDate,
    must: beDate,
    key: String,
    isOrdered: true,
  },
  dateTime: {
    schema: { type: 'string', format: 'date-time', must: beInstant },
    read: (text) => canonicalDate(text.trim()),
    must: beInstant,
    // As the keys of built-in instants, which are folded.
    key: (value) => String(value).toLowerCase(),
    isOrdered: true,
  },
  user: {
    schema: { type: 'string', pattern: uuidPattern, must: beId },
    read: (text) => canonicalUuid(text.trim()),
    must: beId,
    key: String,
    isOrdered: false,
  },
};

/** The value that a client means: for a text, the value that it stands for, or the text itself if it has no form of the type. */
export const readAttributeValue = (type: AttributeTypeName, given: unknown): unknown =>
  typeof given === 'string' ? (attributeTypes[type].read(given) ?? given) : given;

/** A list as one text has an item in each line. */
export const splitItems = (text: string): readonly string[] => text.split(/\r\n|[\r\n]/);

/** The text of an attribute, as formats without types print it; for a list, a line for each item. */
export const attributeText = (value: unknown): string =>
  Array.isArray(value) ? value.join('\n') : String(value);

/** The keys of what is stored: a text that was stored before its declaration counts as the value that it means. */
export function attributeKeys(type: AttributeTypeName, stored: unknown): readonly string[] {
  const { read, key } = attributeTypes[type];
  const values: readonly unknown[] = Array.isArray(stored) ? stored : [stored];
  return values.flatMap((value) => {
    const meant = typeof value === 'string' ? read(value) : value;
    return typeof meant === 'string' || typeof meant === 'number' || typeof meant === 'boolean'
      ? [key(meant)]
      : [];
  });
}

/** What JSON Schema can't say of a number: the end of a violation, undefined if it is fine. */
export function findDecimalFault(value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined;
  const printed = String(value);
  if (printed.includes('e')) return 'must be 0, or at least 0.000001 and below 10^21, whatever its sign';
  const digits = printed.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return digits.length > maxDigits ? `must have at most ${maxDigits} significant digits` : undefined;
}
