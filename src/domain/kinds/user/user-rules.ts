/** Rules of users that the patterns of their schema don't state. */
import type { Violation } from '../../base/errors.ts';
import { isObject } from '../../base/plain-values.ts';

/** Run by browsers that follow a link to them; `data:` may be a page with a script, as may an image in SVG. */
const script = /^(javascript|vbscript|data(?!:image\/(?!svg))):/i;

const uriFault = (pointer: string, uri: unknown): Violation[] => {
  const [, scheme] = typeof uri === 'string' ? (script.exec(uri) ?? []) : [];
  return scheme === undefined
    ? []
    : [{ pointer, detail: `must not have the scheme ${scheme.toLowerCase()}, which can run scripts` }];
};

/** XML Schema has no pattern for "no such beginning". */
function findScriptUris({ profileUrl, photos }: Readonly<Record<string, unknown>>): Violation[] {
  const all: readonly unknown[] = Array.isArray(photos) ? photos : [];
  return [
    ...uriFault('/profileUrl', profileUrl),
    ...all.flatMap((photo, at) => uriFault(`/photos/${at}/value`, isObject(photo) ? photo.value : undefined)),
  ];
}

/** What a dot-atom doesn't have (RFC 5322 §3.2.3, RFC 6531 §3.3): a comma is nearly always a mistyped dot. */
const foreignInDomain = /[,;:()<>[\]"\\]|^\.|\.(?=\.|$)/;

function findDomainFault(value: unknown): string | undefined {
  const domain = typeof value === 'string' ? value.slice(value.lastIndexOf('@') + 1) : '';
  const [found] = foreignInDomain.exec(domain) ?? [];
  if (found === '.') return 'must have a letter or digit at both sides of each dot in its domain';
  return found === undefined ? undefined : `must not have ${found} in its domain, such as example.org`;
}

/**
 * Not part of the pattern in the published contracts: addresses that an earlier release has taken are shown as they are, and the contracts
 * describe responses, too.
 */
function findEmailFaults({ emails }: Readonly<Record<string, unknown>>): Violation[] {
  const all: readonly unknown[] = Array.isArray(emails) ? emails : [];
  return all.flatMap((email, at) => {
    const detail = findDomainFault(isObject(email) ? email.value : undefined);
    return detail === undefined ? [] : [{ pointer: `/emails/${at}/value`, detail }];
  });
}

/** @param user as far as it has its schema's type */
export const findUserFaults = (user: Readonly<Record<string, unknown>>): Violation[] => [
  ...findScriptUris(user),
  ...findEmailFaults(user),
];
