/**
 * `/schemas/1.12/user.xsd`: the documents of each minor version of the contract, for clients that stay with it. Those of the current version
 * are made like the others; those of earlier ones are files in contracts/, which the tests recorded (test/adapters/contracts/freeze.ts).
 */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contractVersions } from '../../contracts/versions.ts';
import { cachedForEver, type StaticDocument } from '../../http/static-documents.ts';
import { packageFolder } from '../../system/program.ts';

const folder = join(packageFolder(), 'contracts');

/** Without YAML, which would be equal to the JSON. */
const isVersioned = ({ path }: StaticDocument): boolean => !path.endsWith('.yaml');

const nameOf = ({ path }: StaticDocument): string => path.slice(path.lastIndexOf('/') + 1);

/** Earlier versions lack documents that later ones added. */
function frozenAt(version: string, documents: readonly StaticDocument[]): readonly StaticDocument[] {
  const files = new Set(readdirSync(join(folder, version)));
  return documents
    .filter((document) => files.has(nameOf(document)))
    .map((document) => ({
      ...document,
      caching: cachedForEver,
      make: () => readFile(join(folder, version, nameOf(document))),
    }));
}

/** @param published the documents of the current version, at their usual paths */
export function versionedDocuments(published: readonly StaticDocument[]): readonly StaticDocument[] {
  const current = published.filter(isVersioned);
  return contractVersions.flatMap((version) =>
    (version === contractVersions.at(-1) ? current : frozenAt(version, current)).map((document) => ({
      ...document,
      path: `/schemas/${version}/${nameOf(document)}`,
      route: '/schemas/:version/:document',
      summary: 'The contract of a minor version',
    })),
  );
}
