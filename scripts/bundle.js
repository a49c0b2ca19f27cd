/**
 * `npm run build`: bundles the program and its packages into a few files in dist/. Loading a thousand small files, most of them typebox's
 * and inversify's, would take three quarters of a start. `npm run typecheck` checks the types; this script does not.
 * usage: node scripts/bundle.js [FOLDER]
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { billOfMaterials } from './bill-of-materials.js';
import { bundleConsole } from './bundle-console.js';
import { bundledPackages, describeLicenses } from './bundled-packages.js';
import { copySwaggerUi } from './copy-swagger-ui.js';
import { outsidePackages } from './outside-packages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const [outdir = 'dist'] = process.argv.slice(2);

const { metafile } = await build({
  absWorkingDir: root,
  // All but the first are threads, which the store starts by file name.
  entryPoints: [
    'src/main.ts',
    'src/adapters/stores/sqlite/write/writer.ts',
    'src/adapters/stores/sqlite/search/search-thread.ts',
  ],
  entryNames: '[name]',
  outdir,
  bundle: true,
  // Dynamic imports get files of their own, loaded when they are needed.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.14',
  // Prefers packages' ES modules to UMD ones, whose imports esbuild can't follow.
  mainFields: ['module', 'main'],
  external: outsidePackages,
  // CommonJS packages require Node's modules.
  banner: {
    js: "import { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);",
  },
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

const page = await bundleConsole(root, `${outdir}/console`);
const swaggerUi = copySwaggerUi(root, `${outdir}/swagger-ui`);
const inputs = [...Object.keys(metafile.inputs), ...page.inputs, 'node_modules/swagger-ui-dist'];
const packages = bundledPackages(root, inputs);
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const lists = {
  [`${outdir}/licenses.txt`]: describeLicenses(packages),
  [`${outdir}/sbom.cdx.json`]: billOfMaterials(own, packages),
};
for (const [file, text] of Object.entries(lists)) writeFileSync(join(root, file), text);
const staticFiles = [...page.files, ...swaggerUi, ...Object.keys(lists)];

// Removes files of earlier builds from dist/, which has no other files. Don't build while the service runs from it: the service imports some
// files only when it needs them.
const folder = join(root, outdir);
const ours = new Set([...Object.keys(metafile.outputs), ...staticFiles]);
const isOurs = (file) => ours.has(relative(root, file).replaceAll('\\', '/'));
for (const entry of outdir === 'dist' ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !isOurs(file)) rmSync(file);
}
