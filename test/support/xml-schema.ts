/** Validates documents against an XML Schema, by xmllint. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How many files one command line takes. */
const atOnce = 500;

let isThere: boolean | undefined;

export function hasXmllint(): boolean {
  isThere ??= spawnSync('xmllint', ['--version']).error === undefined;
  return isThere;
}

/**
 * Why it refuses each document; undefined where it validates. Nothing is fetched.
 * @throws Error when the schema itself can't be read
 */
export function faultsBySchema(xsd: string, documents: readonly (string | Buffer)[]): (string | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), 'users-xsd-'));
  try {
    const schema = join(folder, 'schema.xsd');
    writeFileSync(schema, xsd);
    const faults: (string | undefined)[] = documents.map(() => undefined);
    for (let from = 0; from < documents.length; from += atOnce) {
      const files = documents.slice(from, from + atOnce).map((document, index) => {
        const file = join(folder, `${from + index}.xml`);
        writeFileSync(file, document);
        return file;
      });
      const { stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, ...files], {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      if (/failed to compile|schema\.xsd:/.test(stderr)) throw new Error(stderr);
      for (const line of stderr.split('\n')) {
        const [, index, what] = /\/(\d+)\.xml:\d+: (.*)$/.exec(line) ?? [];
        if (index !== undefined) faults[Number(index)] ??= what;
      }
    }
    return faults;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
