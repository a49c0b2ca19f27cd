/** Where attributes stand in a resource, and which of them count as values. */
import { isObject } from '../../../../domain/base/plain-values.ts';
import type { AttributePath } from '../resource/attributes.ts';

/** The values that a path leads to: of a list one for each item, which may be undefined. */
export type Values = (from: unknown) => readonly unknown[];

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;

export function itemsAt(resource: unknown, { extension, attribute }: AttributePath): readonly unknown[] {
  const within = extension === undefined ? resource : memberOf(resource, extension);
  const value = memberOf(within, attribute.name);
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

export function valuesOf(path: AttributePath, isWithin: boolean): Values {
  const name = path.sub?.name;
  if (name === undefined) return (resource) => itemsAt(resource, path);
  if (isWithin) return (item) => [memberOf(item, name)];
  return (resource) => itemsAt(resource, path).map((item) => memberOf(item, name));
}

/** A text or list without anything in it is no value, and neither is an object whose members have none. */
export function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.values(value).some(isPresent);
}

/** Of items that don't say whether they are the primary one, none is (RFC 7643 §2.4). */
export const isPrimary = ({ attribute, sub }: AttributePath): boolean =>
  attribute.multiValued && sub?.name === 'primary';
