/**
 * Folders with a folder for each minor version, whose files are written once and never change. contracts/ has the documents of earlier
 * versions, each copied when the next one is recorded.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { fixturesFolder } from './fixtures/fixture.ts';

export const frozenFolder = 'contracts';
/** The current version, as `record.ts` has written it. */
export const recordedFolder = 'test/adapters/contracts/recorded';
/** For `sha256sum --check`, in the folder. */
const sumsFile = 'SHA256SUMS';

/** `1.12` of `1.12.0`. */
export const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

const lineOf = (name: string, content: string | Buffer): string =>
  `${createHash('sha256').update(content).digest('hex')}  ${name}\n`;

export const frozenVersions = (folder = frozenFolder): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));

export const readSums = (folder = frozenFolder): string => readFileSync(join(folder, sumsFile), 'utf8');

/** The checksums of the files as they are now. */
export const printSums = (folder = frozenFolder): string =>
  frozenVersions(folder)
    .flatMap((version) =>
      readdirSync(join(folder, version))
        .sort()
        .map((name) => lineOf(`${version}/${name}`, readFileSync(join(folder, version, name)))),
    )
    .join('');

/** The names and texts under which recorded documents are frozen: OpenAPI as JSON, as `/openapi.json` prints it. */
function toFrozen(recorded: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { 'openapi.yaml': openApi, 'scim-attributes.txt': _, ...schemas } = recorded;
  return { ...schemas, 'openapi.json': JSON.stringify(parse(openApi ?? ''), null, 2) };
}

/** The names of the documents of a version. */
export const frozenNames = (recorded: readonly string[]): readonly string[] =>
  Object.keys(toFrozen(Object.fromEntries(recorded.map((name) => [name, '{}']))));

/** With their checksums. @throws Error when the version has its folder already */
export function writeVersion(
  folder: string,
  version: string,
  files: Readonly<Record<string, string | Buffer>>,
): void {
  const place = join(folder, version);
  if (existsSync(place)) throw new Error(`${place} is there already: its files never change`);
  mkdirSync(place, { recursive: true });
  for (const [name, content] of Object.entries(files).sort()) {
    writeFileSync(join(place, name), content);
    appendFileSync(join(folder, sumsFile), lineOf(`${version}/${name}`, content));
  }
}

/** Copies the recorded documents of a version, unless it has its folder already. */
export function freeze(
  version: string,
  recorded: Readonly<Record<string, string>>,
  folder = frozenFolder,
): void {
  if (!existsSync(join(folder, version))) writeVersion(folder, version, toFrozen(recorded));
}

/**
 * Freezes what is recorded if it is of another minor version than the current one.
 * @returns why not
 */
export function freezeRecorded(current: string): string | undefined {
  const recorded = Object.fromEntries(
    readdirSync(recordedFolder).map((name) => [name, readFileSync(join(recordedFolder, name), 'utf8')]),
  );
  const before = minorOf(parse(recorded['openapi.yaml'] ?? '').info.version);
  if (before === current) return undefined;
  // They show how the service answered before it changed.
  if (!existsSync(join(fixturesFolder, before)))
    return `Record the fixtures of ${before} first, where contractVersion is ${before}: node test/adapters/contracts/fixtures/record.ts`;
  freeze(before, recorded);
  return undefined;
}
