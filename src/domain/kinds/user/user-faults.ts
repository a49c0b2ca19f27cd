/**
 * Rules besides the schema. An XML Schema pattern can't exclude beginnings; and the published patterns also describe responses, which show addresses
 * that an earlier release accepted.
 */
import type { Violation } from '../../validation/errors.ts';
import { isObject } from '../../validation/plain-values.ts';
import { findValidityFaults } from './validity.ts';

/** Browsers run these when they follow a link; `data:` may contain a page with a script, or an SVG image with one. */
const script = /^(javascript|vbscript|data(?!:image\/(?!svg))):/i;

/** What a dot-atom doesn't have (RFC 5322 §3.2.3, RFC 6531 §3.3): a comma is nearly always a mistyped dot. */
const special = /[,;:()<>[\]"\\]|^\.|\.(?=\.|$)/;

function findScript(uri: string): string | undefined {
  const [, scheme] = script.exec(uri) ?? [];
  return scheme && `must not have the scheme ${scheme.toLowerCase()}, which can run scripts`;
}

function findDomainFault(address: string): string | undefined {
  const [found] = special.exec(address.slice(address.lastIndexOf('@') + 1)) ?? [];
  if (found === '.') return 'must have a letter or digit at both sides of each dot in its domain';
  return found && `must not have ${found} in its domain, such as example.org`;
}

type FindFault = typeof findScript;

function inText(pointer: string, text: unknown, findFault: FindFault): Violation[] {
  const detail = typeof text === 'string' ? findFault(text) : undefined;
  return detail === undefined ? [] : [{ pointer, detail }];
}

const inList = (name: string, list: unknown, findFault: FindFault): Violation[] =>
  (Array.isArray(list) ? list : []).flatMap((item: unknown, at) =>
    inText(`/${name}/${at}/value`, isObject(item) ? item.value : undefined, findFault),
  );

/** Roles that differ only by spaces at their ends look the same. */
function findRepeats(roles: unknown): Violation[] {
  const texts = (Array.isArray(roles) ? roles : []).map((role: unknown) => String(role).trim());
  if (new Set(texts).size === texts.length) return [];
  return [{ pointer: '/roles', detail: 'must not repeat an item, also with other spaces at its ends' }];
}

const findBlank = (text: string): string | undefined =>
  text.trim() === '' ? 'must not consist of spaces only' : undefined;

/** @param user whose valid parts have the types of the schema */
export const findUserFaults = ({
  displayName,
  roles,
  profileUrl,
  photos,
  emails,
  ...others
}: Readonly<Record<string, unknown>>): Violation[] => [
  ...inText('/displayName', displayName, findBlank),
  ...findRepeats(roles),
  ...inText('/profileUrl', profileUrl, findScript),
  ...inList('photos', photos, findScript),
  ...inList('emails', emails, findDomainFault),
  ...findValidityFaults(others),
];
