/** Builds the console's page: files whose names change with their content, and a list of them for the service. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const browserFiles = 'src/adapters/browser-files';

/** @param {string} root the repository */
const withoutProjections = (root) => ({
  name: 'without projections',
  setup({ onResolve }) {
    const path = join(root, `${browserFiles}/stand-ins.ts`);
    onResolve({ filter: /\/resource\/projection\.ts$/ }, () => ({ path }));
  },
});

/**
 * Puts all that the page loads at first into one chunk. Otherwise what its imports and exports share with it is a chunk of its own, and the
 * names by which chunks import from each other take a kilobyte.
 */
const withoutSharedChunk = {
  name: 'without a shared chunk',
  setup({ onLoad }) {
    onLoad({ filter: /\/files\/import-page\.tsx$/ }, async ({ path }) => ({
      contents: `import '../console.tsx';\n${await readFile(path, 'utf8')}`,
      loader: 'tsx',
    }));
  },
};

/** @param {string} root the repository @param {string} outdir below it @returns the files and their sources, below the root */
export async function bundleConsole(root, outdir) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['console/src/main.tsx', 'console/src/icon.svg'],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    mainFields: ['module', 'main'],
    // Files of users: the code of the commands, loaded when a view needs it. The page's policy forbids compiling code.
    alias: {
      'user-files/days': './src/domain/resource/days.ts',
      'user-files': `./${browserFiles}/index.ts`,
      'typebox/compile': `./${browserFiles}/stand-ins.ts`,
      'is-unsafe': `./${browserFiles}/stand-ins.ts`,
    },
    plugins: [withoutProjections(root), withoutSharedChunk],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    minify: true,
    // Modules are read as UTF-8 whatever their header says: escapes of umlauts, dashes and quotes would be longer.
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const all = Object.keys(metafile.outputs).map((file) => basename(file));
  const find = (pattern) => all.find((name) => pattern.test(name));
  const files = {
    script: find(/^main-.*\.js$/),
    style: find(/^main-.*\.css$/),
    icon: find(/^icon-.*\.svg$/),
    all,
  };
  mkdirSync(join(root, outdir), { recursive: true });
  writeFileSync(join(root, outdir, 'files.json'), JSON.stringify(files));
  return {
    files: [...Object.keys(metafile.outputs), `${outdir}/files.json`],
    inputs: Object.keys(metafile.inputs),
  };
}
