/** Copies the files of Swagger UI that `/docs` serves into the bundle, so that operators do not install its package, which has an install script. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Its licence requires the last two beside the others. */
const names = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE'];

/** @param {string} root the repository @param {string} outdir below it @returns {string[]} the files, below the root */
export function copySwaggerUi(root, outdir) {
  const { resolve } = createRequire(import.meta.url);
  mkdirSync(join(root, outdir), { recursive: true });
  return names.map((name) => {
    const file = join(outdir, name);
    copyFileSync(resolve(`swagger-ui-dist/${name}`), join(root, file));
    return file.replaceAll('\\', '/');
  });
}
