/** The console's page: the files it loads, its Content-Security-Policy, and its settings. */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { contractVersions } from '../../contracts/versions.ts';
import { escapeHtml, printPage } from '../../http/html.ts';
import { cachedForEver, type StaticDocument } from '../../http/static-documents.ts';
import { builtFolder } from '../../system/program.ts';

interface ConsoleFiles {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  /** All files, including these three. */
  readonly all: readonly string[];
}

const folder = builtFolder('console');

/** @throws Error when the console wasn't built */
export const findConsoleFiles = (): ConsoleFiles =>
  JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'));

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** File names change with their content. */
export const fileDocuments = ({ all }: ConsoleFiles): readonly StaticDocument[] =>
  all.map((name) => ({
    path: `/console/assets/${name}`,
    route: '/console/assets/:file',
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    summary: 'Files of the console',
    caching: cachedForEver,
    make: () => readFile(join(folder, name)),
  }));

export interface ConsoleSettings {
  readonly console: {
    readonly enabled: boolean;
    /** The product's name for people. Empty: the page has a name in each language. */
    readonly name: string;
    /** Empty: no sign-in with OpenID Connect. */
    readonly issuer: string;
    readonly clientId: string;
    readonly scope: string;
    readonly resource: string;
    /** Empty: policy violations are not reported. */
    readonly reportUrl: string;
  };
  readonly validity: { readonly timezone: string };
  readonly apiKeys: { readonly file: string };
  readonly jwt: { readonly keySetUrl: string; readonly keySetFile: string; readonly secret: string };
}

/** The page loads nothing from other origins, and connects only to this service and the OpenID provider. */
export function policyOf({ console: { issuer, reportUrl } }: ConsoleSettings): string {
  const connect = issuer === '' ? "'self'" : `'self' ${new URL(issuer).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    ...(reportUrl === '' ? [] : [`report-uri ${reportUrl}`]),
  ].join('; ');
}

const printMeta = (name: string, content: string): string =>
  `<meta name="${name}" content="${escapeHtml(content)}">\n`;

function printProvider({ issuer, clientId: client, scope, resource }: ConsoleSettings['console']): string {
  const settings = issuer === '' ? {} : { issuer, client, scope, resource };
  return Object.entries(settings)
    .map(([name, value]) => printMeta(`openid-${name}`, value))
    .join('');
}

/**
 * The kinds of credentials that a person can sign in with, the usual one first. Without settings, the service accepts the tokens that it issues
 * itself.
 */
function printCredentials({ apiKeys, jwt }: ConsoleSettings): string {
  const takesKeys = apiKeys.file !== '';
  const takesTokens = !takesKeys || jwt.keySetUrl + jwt.keySetFile + jwt.secret !== '';
  return printMeta(
    'credentials',
    [...(takesKeys ? ['key'] : []), ...(takesTokens ? ['token'] : [])].join(' '),
  );
}

/** URLs are relative to the page, so that they work behind any prefix. */
export const printConsole = (files: ConsoleFiles, settings: ConsoleSettings): string =>
  printPage(
    settings.console.name || 'User directory',
    `<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${printMeta('product', settings.console.name)}${printCredentials(settings)}${printProvider(settings.console)}${printMeta('time-zone', settings.validity.timezone)}${printMeta('contract', contractVersions.at(-1) ?? '')}<link rel="icon" type="image/svg+xml" href="assets/${files.icon}">
<link rel="stylesheet" href="assets/${files.style}">
<script type="module" src="assets/${files.script}"></script>`,
    '<div id="console"></div>\n<noscript>The console needs JavaScript. The API does not: see <a href="../docs">its documentation</a>.</noscript>',
  );
