/**
 * Run by npm after every installation (`dependencies` in package.json). npm reads from the lock file whether to call node-gyp, but
 * doesn't write it there. Without this line npm would run node-gyp, which needs Python and a compiler, for better-sqlite3, which contains
 * its binaries and says `"gypfile": false`. Needed while Node 20 and 22 ship npm 10.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const file = 'package-lock.json';
const lock = readFileSync(file, 'utf8');
const entry =
  /(?<="node_modules\/better-sqlite3": \{\s+"version": "[^"]+",(\s+)"integrity": "[^"]+",)(?!\s+"gypfile")/;
const kept = lock.replace(entry, '$1"gypfile": false,');
if (kept !== lock) writeFileSync(file, kept);
