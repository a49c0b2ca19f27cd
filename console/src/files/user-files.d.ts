/** The code of the commands `import` and `export`, bundled apart: `scripts/bundle-console.js` says where it is. */
declare module 'user-files' {
  import type { FileEngine } from 'user-files/types';

  export const engine: FileEngine;
}
