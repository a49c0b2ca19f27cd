/**
 * Pages for people: `/docs`, for trying requests, is Swagger UI, whose files scripts/copy-swagger-ui.js copies. It loads nothing from other origins,
 * and its policy enforces this. `/problems/{type}` is the page at a problem's `type`, for the person who has to solve it.
 */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml, htmlType, printPage } from '../../http/html.ts';
import type { DescribedApi } from '../../http/pipeline/api.ts';
import { type DescribedProblemType, problemTypes } from '../../http/problems/problem-types.ts';
import { problemPath } from '../../http/problems/problems.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import { builtFolder } from '../../system/program.ts';

/** React sets styles by script, which `style-src` doesn't restrict; the images in the style sheet are `data:` URLs. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Paths are relative to `/docs`, so that they work behind any prefix. */
function printNavigation(published: readonly StaticDocument[], hasConsole: boolean): string {
  const console = '<p><a href="console/">Open the console</a> to find and edit users in the browser</p>\n';
  const links = published.map(({ path }) => `<a href="${path.slice(1)}">${path}</a>`);
  return `<nav>
${hasConsole ? console : ''}<p>The contract as files: ${links.join(', ')}</p>
</nav>`;
}

const printDocsPage = (published: readonly StaticDocument[], hasConsole: boolean): string =>
  printPage(
    'User management: API',
    `<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/start.js" defer></script>`,
    `${printNavigation(published, hasConsole)}\n<div id="api"></div>`,
  );

/** Styles for the page around Swagger UI, which styles only its own part. */
const style = `body { margin: 0; background: #fff; }
nav { padding: 0.75rem 1.25rem; font: 1rem/1.5 system-ui, sans-serif; color: #fff; background: #1b1b1b; }
nav a { color: #9cd3ff; font-weight: 600; }
nav p { margin: 0; }
nav a:focus-visible { outline: 2px solid; outline-offset: 2px; }
`;

const start = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const swaggerUi = builtFolder('swagger-ui');

const packageFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const partOfPage = (name: string, contentType: string, make: StaticDocument['make']): StaticDocument => ({
  path: `/docs/${name}`,
  route: '/docs/:file',
  contentType,
  summary: 'Files of the page',
  make,
});

/** The page and the files that it loads. @param published the documents that it links to */
export const tryDocuments = (
  published: readonly StaticDocument[],
  hasConsole: boolean,
): readonly StaticDocument[] => [
  {
    path: '/docs',
    contentType: htmlType,
    policy,
    summary: 'This document as a page, to try requests on',
    make: async () => printDocsPage(published, hasConsole),
  },
  partOfPage('page.css', 'text/css; charset=utf-8', async () => style),
  partOfPage('start.js', 'text/javascript; charset=utf-8', async () => start),
  ...Object.entries(packageFiles).map(([name, contentType]) =>
    partOfPage(name, contentType, () => readFile(join(swaggerUi, name))),
  ),
];

const problemStyle =
  'body{max-width:42rem;margin:3rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#222;background:#fff}' +
  'h1{font-size:1.6rem}h2{font-size:1.1rem;margin-top:2rem}code{font-size:.95em}';

/** Makes the policy allow this style only. */
const styleHash = `'sha256-${createHash('sha256').update(problemStyle).digest('base64')}'`;
const problemPolicy = `default-src 'none'; style-src ${styleHash}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function printProblemPage(code: string, { status, title, meaning, remedy }: DescribedProblemType): string {
  const body = `<h1>${escapeHtml(title)}</h1>
<p>Type <code>${escapeHtml(code)}</code>, status ${status}.</p>
<h2>What it means</h2>
<p>${escapeHtml(meaning)}</p>
<h2>What to do</h2>
<p>${escapeHtml(remedy)}</p>
<p>The API as a whole: <a href="../docs">its documentation</a>.</p>`;
  return printPage(title, `<style>${problemStyle}</style>`, body);
}

/** One page for each problem of these APIs, ordered by status. */
export function problemPages(apis: readonly DescribedApi[]): StaticDocument[] {
  const all = Object.entries(Object.assign({}, ...apis.map(({ problems }) => problems), problemTypes));
  return (all as [string, DescribedProblemType][])
    .sort(([, one], [, other]) => one.status - other.status)
    .map(([code, type]) => ({
      path: problemPath(code),
      route: problemPath(':type'),
      contentType: htmlType,
      summary: 'The meaning of a problem, and its solution',
      policy: problemPolicy,
      make: async () => printProblemPage(code, type),
    }));
}
