/**
 * `npm run build`: the commands and what they import, in a few files below dist/. A thousand small ones, most of them typebox's
 * and inversify's, would be three quarters of a start. Types are not looked at: that is `npm run typecheck`.
 * usage: node scripts/bundle.js [FOLDER]
 */
import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const [outdir = 'dist'] = process.argv.slice(2);

const { metafile } = await build({
  absWorkingDir: root,
  // The last is a thread of its own, which the store starts by its file, beside its own.
  entryPoints: ['main', 'token', 'api-key', 'backup', 'restore', 'copy-users', 'adapters/sqlite/writer'].map(
    (name) => `src/${name}.ts`,
  ),
  entryNames: '[name]',
  outdir,
  bundle: true,
  // What is imported when it is needed stays in a file of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // The packages' own modules before UMD ones, whose imports can't be followed.
  mainFields: ['module', 'main'],
  // Native code; a driver that few need and that looks for optional packages; files that are served.
  external: ['better-sqlite3', 'mongodb', 'swagger-ui-dist'],
  // For the CommonJS packages, which require Node's modules.
  banner: {
    js: "import { createRequire as createRequireForBundle } from 'node:module';\nconst require = createRequireForBundle(import.meta.url);",
  },
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

// What an earlier build left, in the folder that is nothing but ours. A running service imports some files when it first
// needs them: don't build under it.
const folder = join(root, outdir);
const isOurs = (file) => relative(root, file).replaceAll('\\', '/') in metafile.outputs;
for (const entry of outdir === 'dist' ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !isOurs(file)) rmSync(file);
}
