/**
 * Makes one file of the compiled writer in build/, as `npm run build` does in dist/: each SQLite store that a test opens starts
 * it as a thread, which would load some hundred files, most of them typebox's, each time (200 ms instead of 55).
 */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const writer = 'build/src/adapters/stores/sqlite/writer.js';

await build({
  absWorkingDir: fileURLToPath(new URL('..', import.meta.url)),
  entryPoints: [writer],
  outfile: writer,
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
