/** The files that the console's page loads. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { StaticDocument } from '../../http/static-documents.ts';
import { builtFolder } from '../../system/program.ts';

export interface ConsoleFiles {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  /** All files, including these three. */
  readonly all: readonly string[];
}

const folder = builtFolder('console');

/** @throws Error when the console wasn't built */
export const findConsoleFiles = (): ConsoleFiles =>
  JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8'));

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** File names change with their content. */
export const fileDocuments = ({ all }: ConsoleFiles): readonly StaticDocument[] =>
  all.map((name) => ({
    path: `/console/assets/${name}`,
    route: '/console/assets/:file',
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    summary: 'What the console is made of',
    caching: 'public, max-age=31536000, immutable',
    make: () => readFile(join(folder, name)),
  }));
