/**
 * Makes one file of each compiled thread in build/, as `npm run build` does in dist/: each SQLite store that a test opens starts
 * them, and each would load some hundred files, most of them typebox's, each time (200 ms instead of 55).
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const sqlite = 'build/src/adapters/stores/sqlite';

await build({
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  entryPoints: [`${sqlite}/write/writer.js`, `${sqlite}/search/search-thread.js`],
  outdir: sqlite,
  outbase: sqlite,
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  mainFields: ['module', 'main'],
  external: ['better-sqlite3'],
  sourcemap: true,
  sourcesContent: false,
  minify: true,
  keepNames: true,
  logLevel: 'warning',
});
