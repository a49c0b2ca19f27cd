/** Finds the values of attributes in a resource. */
import { isObject } from '../../../../domain/base/plain-values.ts';
import type { AttributePath } from '../resource/attributes.ts';

/** The values at a path. For a list, one per item, which may be undefined. */
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

/** An empty text or list is not a value, nor is an object whose members all have none. */
export function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.values(value).some(isPresent);
}

/** Items without `primary` are not primary (RFC 7643 §2.4). */
export const isPrimary = ({ attribute, sub }: AttributePath): boolean =>
  attribute.multiValued && sub?.name === 'primary';
