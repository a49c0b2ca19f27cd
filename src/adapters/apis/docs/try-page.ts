/** `/docs`: Swagger UI, from its package's own files. The page loads nothing from elsewhere, and its policy holds it to that. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Published } from './documents.ts';
import { page, pageType } from './html.ts';

/** React sets styles by script, which a policy for markup does not concern; the pictures in the style sheet are data. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Paths are relative to `/docs`, so that they hold behind any prefix. */
const docsPage = (): string =>
  page(
    'User management: API',
    `<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" type="image/png" href="docs/favicon-32x32.png">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/start.js" defer></script>`,
    '<div id="api"></div>',
  );

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

const packaged: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const part = (name: string, contentType: string, make: Published['make']): Published => ({
  ...{ path: `/docs/${name}`, route: '/docs/:file', contentType },
  ...{ summary: 'What the page is made of', make },
});

export const docs: readonly Published[] = [
  {
    ...{ path: '/docs', route: '/docs', contentType: pageType, policy },
    ...{ summary: 'This document as a page, to try requests on', make: async () => docsPage() },
  },
  part('start.js', 'text/javascript; charset=utf-8', async () => start),
  ...Object.entries(packaged).map(([name, contentType]) =>
    part(name, contentType, () => {
      const require = createRequire(import.meta.url);
      return readFile(require.resolve(`swagger-ui-dist/${name}`));
    }),
  ),
];
