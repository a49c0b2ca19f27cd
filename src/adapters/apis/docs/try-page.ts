/**
 * `/docs`: Swagger UI, whose files scripts/copy-swagger-ui.js copies. The page loads nothing from other origins, and its
 * policy enforces this.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { htmlType, printPage } from '../../http/html.ts';
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
