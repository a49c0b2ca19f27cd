/**
 * Addresses among the settings: the URLs that a pattern cannot validate, and where the service and its metrics listen. Each URL is made
 * canonical once at the start, as in browsers (WHATWG URL): responses contain them, and origins are compared with the browsers'.
 */
import { isIPv4 } from 'node:net';
import { SettingsError } from './sources.ts';

interface Addresses {
  readonly publicUrl: string;
  readonly corsOrigins: string;
  readonly jwt: { readonly keySetUrl: string };
  readonly console: { readonly issuer: string; readonly reportUrl: string };
}

/** In characters. Longer URLs would leave too little room for other header fields of a response. */
const maxLength = 2_000;

/** A name in lower-case ASCII (IDNA turns other names into xn--…), or an IP address. `URL` also accepts `a"b`, `a,b` and `a..b`. */
const host = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

/** Everything but RFC 3986's `pchar`. The apostrophe is escaped as well, since it could end an attribute's value. */
const escapedInPaths = /[^A-Za-z0-9._~!$&'()*+,;=:@/%-]/g;

/** Checked before parsing, since `URL` tolerates tabs, line breaks, empty credentials, missing slashes and backslashes. */
const urlShape = /^https?:\/\/[^\s\p{Cc}\\/?#@]+(?:\/[^\s\p{Cc}\\?#]*)?$/iu;

/** Undefined for anything but an http(s) URL that a client could reach, without credentials, query and fragment. */
function parseHttpUrl(text: string): URL | undefined {
  if (text.length > maxLength || !urlShape.test(text)) return undefined;
  if (/%(?![0-9a-f]{2})/i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return host.test(url.hostname) && url.port !== '0' ? url : undefined;
}

/** In ASCII, without slashes at its end; undefined when it isn't valid. */
function toBaseUrl(text: string): string | undefined {
  const url = parseHttpUrl(text);
  const path = url?.pathname
    .replace(escapedInPaths, encodeURIComponent)
    .replaceAll("'", '%27')
    .replace(/\/+$/, '');
  return url && url.origin + path;
}

/** As browsers send it in `Origin`. Undefined without a scheme, with a path, and for a wildcard. */
function toOrigin(text: string): string | undefined {
  const url = parseHttpUrl(text);
  return url?.pathname === '/' ? url.origin : undefined;
}

/** Separated by single spaces, without duplicates; undefined when one of them isn't an origin. */
function toOrigins(text: string): string | undefined {
  const origins = text
    .split(' ')
    .filter((origin) => origin !== '')
    .map(toOrigin);
  return origins.every((origin) => origin !== undefined) ? [...new Set(origins)].join(' ') : undefined;
}

/** The same text; undefined when `fetch` would refuse it, such as one with credentials. */
function checkFetchable(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, username, password } = new URL(text);
  return host.test(hostname) && username === '' && password === '' ? text : undefined;
}

/** The same text, if it can stand in a Content-Security-Policy: a comma or a semicolon would end its directive. */
const checkInPolicy = (text: string): string | undefined =>
  parseHttpUrl(text) === undefined || /[,;]/.test(text) ? undefined : text;

/** The same for the receiver of a browser's reports, which may have a query: some collectors expect a key there. */
const checkReportable = (text: string): string | undefined =>
  /^https?:\/\/[^\s\p{Cc},;#]+$/u.test(text) ? checkFetchable(text) : undefined;

interface Rule {
  readonly text: string;
  /** Undefined when the text isn't valid. */
  readonly canonicalize: (text: string) => string | undefined;
  readonly must: string;
}

/** By the path of each setting. */
const rulesOf = ({ publicUrl, corsOrigins, jwt, console }: Addresses): Readonly<Record<string, Rule>> => ({
  publicUrl: {
    text: publicUrl,
    canonicalize: toBaseUrl,
    must: 'be empty or an http(s) URL such as https://directory.example/v1, without credentials, query and fragment',
  },
  corsOrigins: {
    text: corsOrigins,
    canonicalize: toOrigins,
    must: 'be origins such as https://app.example, each written out, separated by spaces',
  },
  'jwt.keySetUrl': {
    text: jwt.keySetUrl,
    canonicalize: checkFetchable,
    must: 'be a URL without credentials in it',
  },
  'console.issuer': {
    text: console.issuer,
    canonicalize: checkInPolicy,
    must: 'be a URL without credentials, query and fragment',
  },
  'console.reportUrl': {
    text: console.reportUrl,
    canonicalize: checkReportable,
    must: 'be empty or an http(s) URL without credentials, commas and semicolons',
  },
});

/**
 * The settings with their URLs in canonical form; empty ones are not set, and stay empty.
 * @throws SettingsError naming every URL that isn't valid
 */
export function canonicalizeAddresses<S extends Addresses>(
  settings: S,
  labelOf: (name: string) => string,
): S {
  const rules = Object.entries(rulesOf(settings)).filter(([, { text }]) => text !== '');
  const wrong = rules.filter(([, { text, canonicalize }]) => canonicalize(text) === undefined);
  if (wrong.length > 0)
    throw new SettingsError(wrong.map(([name, { must }]) => `${labelOf(name)}: must ${must}`).join('\n'));
  const { publicUrl, corsOrigins } = settings;
  return { ...settings, publicUrl: toBaseUrl(publicUrl) ?? '', corsOrigins: toOrigins(corsOrigins) ?? '' };
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Whether only programs on this machine can connect to it. */
export const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(host);

/** Whether it is a wildcard: all addresses of the machine, or all of IPv4. */
const isWithin = (host: string, wildcard: string): boolean =>
  wildcard === '::' || (wildcard === '0.0.0.0' && isIPv4(host));

/**
 * Refuses one address for both before either is tried. The system's error would not say which of the two is in use, and
 * `check`, which tries one after the other, would not notice.
 * @throws SettingsError
 */
export function assertApart(service: ListenAddress, metrics: ListenAddress): void {
  // Port 0 turns metrics off; for the service it means any free port.
  if (metrics.port === 0 || metrics.port !== service.port) return;
  const isSame = metrics.host.toLowerCase() === service.host.toLowerCase();
  if (isSame || isWithin(metrics.host, service.host) || isWithin(service.host, metrics.host))
    throw new SettingsError(
      `metrics (USERS_METRICS_HOST, USERS_METRICS_PORT): ${metrics.host}:${metrics.port} is the address of the service (USERS_HOST, USERS_PORT)`,
    );
}
