/** The code of the commands `import` and `export`, bundled separately: see `scripts/bundle-console.js`. */
declare module 'user-files' {
  import type { FileEngine } from 'user-files/types';

  export const engine: FileEngine;
}
