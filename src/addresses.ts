/**
 * Addresses among the settings, each read once at the start and made canonical as browsers do (the WHATWG's URL): what is put into
 * answers, or compared with what clients send, is made of these.
 */

import type { Settings } from './config.ts';

/** Longer ones would crowd out what else is in an answer's header fields. */
const maxLength = 2_000;

/** A name in lower-case ASCII (IDNA's xn-- where it wasn't), or an IP address. `URL` lets `a"b`, `a,b` and `a..b` pass. */
const host = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

/** All but RFC 3986's `pchar`. Of these the apostrophe is escaped too, which could end an attribute's value. */
const escapedInPaths = /[^A-Za-z0-9._~!$&'()*+,;=:@/%-]/g;

/** `URL` overlooks tabs, line breaks, credentials that are empty, and slashes that are missing or lean backwards. */
const shape = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:\/[^\s\p{Cc}\\?#]*)?$/iu;

/** Undefined when it isn't an http(s) URL that a client could reach, without credentials, query and fragment. */
function httpUrl(text: string): URL | undefined {
  if (text.length > maxLength || !shape.test(text)) return undefined;
  if (/%(?![0-9a-f]{2})/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return host.test(url.hostname) && url.port !== '0' ? url : undefined;
}

/** In ASCII, without slashes at its end; undefined when it can't be made so. */
function canonicalBaseUrl(text: string): string | undefined {
  const url = httpUrl(text);
  const path = url?.pathname
    .replace(escapedInPaths, encodeURIComponent)
    .replaceAll("'", '%27')
    .replace(/\/+$/, '');
  return url && url.origin + path;
}

/** As a browser sends it in `Origin`; undefined when none would: no scheme, a path, a wildcard. */
function canonicalOrigin(text: string): string | undefined {
  const url = httpUrl(text);
  return url?.pathname === '/' ? url.origin : undefined;
}

/** Separated by one space each, none twice; undefined when one of them isn't an origin. */
function canonicalOrigins(text: string): string | undefined {
  const origins = text
    .split(' ')
    .filter((origin) => origin !== '')
    .map(canonicalOrigin);
  return origins.every((origin) => origin !== undefined) ? [...new Set(origins)].join(' ') : undefined;
}

/** Unchanged; undefined when `fetch` wouldn't take it, such as one with credentials in it. */
function fetchableUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, username, password } = new URL(text);
  return host.test(hostname) && username === '' && password === '' ? text : undefined;
}

/** How one of the settings is read. */
export interface Spelling {
  readonly name: string;
  readonly text: string;
  /** Undefined for what can't be right. */
  readonly canonical: (text: string) => string | undefined;
  readonly must: string;
}

/** The public URL, the origins, and others, which a pattern can't judge. Empty is: not set. */
export const spellings = ({ publicUrl, corsOrigins, jwt }: Settings): Spelling[] => [
  {
    name: 'publicUrl',
    text: publicUrl,
    canonical: canonicalBaseUrl,
    must: 'be empty or an http(s) URL such as https://directory.example/v1, without credentials, query and fragment',
  },
  {
    name: 'corsOrigins',
    text: corsOrigins,
    canonical: canonicalOrigins,
    must: 'be origins such as https://app.example, each written out, separated by spaces',
  },
  {
    name: 'jwt.keySetUrl',
    text: jwt.keySetUrl,
    canonical: fetchableUrl,
    must: 'be a URL without credentials in it',
  },
];
