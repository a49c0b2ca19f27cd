/** Where the build has put the files that browsers load: beside a bundle, and in build/bundle/ for a program that runs from its source. */
import { extname, join } from 'node:path';

const isSource = extname(import.meta.filename) === '.ts';

/** @param name of a folder that scripts/bundle.js makes: `console`, `swagger-ui` */
export const builtFolder = (name: string): string =>
  join(import.meta.dirname, isSource ? '../../../build/bundle' : '', name);
