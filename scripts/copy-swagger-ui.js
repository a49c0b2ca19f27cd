/** Copies what `/docs` serves of Swagger UI beside the code that serves it: its package brings an install script along. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Its licence asks for the last two wherever the others go. */
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
