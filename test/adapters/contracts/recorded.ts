/** The contract as it was recorded and as it is published: changes are held to docs/compatibility.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { publishedText } from '../../support/contract.ts';
import { findBreaksInOpenApi, isVersionRaised } from './breaking.ts';
import { findBreaksInXsd } from './breaking-xsd.ts';

/** Beside the sources, whatever is compiled where. */
const folder = resolve('test/adapters/contracts/recorded');
const files = {
  'openapi.yaml': '/openapi.yaml',
  'user.xsd': '/schemas/user.xsd',
  'problem.xsd': '/schemas/problem.xsd',
};
type File = keyof typeof files;
export type Contract = Readonly<Record<File, string>>;

const names = Object.keys(files) as readonly File[];

export function readRecorded(): Contract | undefined {
  if (!existsSync(resolve(folder, names[0] ?? ''))) return undefined;
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(resolve(folder, name), 'utf8')]),
  ) as Contract;
}

export async function readPublished(): Promise<Contract> {
  const entries = names.map(async (name) => [name, await publishedText(files[name])] as const);
  return Object.fromEntries(await Promise.all(entries)) as Contract;
}

/** Reasons why a contract may not take the place of another; empty when it may. */
export function findObjections(old: Contract, now: Contract): readonly string[] {
  const [before, after] = [parse(old['openapi.yaml']), parse(now['openapi.yaml'])];
  const breaking = [
    ...findBreaksInOpenApi(before, after),
    ...findBreaksInXsd(old['user.xsd'], now['user.xsd']),
    ...findBreaksInXsd(old['problem.xsd'], now['problem.xsd']),
  ];
  const changed = names.some((name) => old[name] !== now[name]);
  if (!changed || isVersionRaised(before.info.version, after.info.version, breaking.length > 0)) return [];
  const asked =
    breaking.length > 0 ? 'the first number of contractVersion' : 'the second number of contractVersion';
  return [...breaking, `Raise ${asked} (src/adapters/apis/docs/version.ts): it is ${after.info.version}.`];
}

/** @returns why it was not recorded; empty when it was */
export async function record(): Promise<readonly string[]> {
  const [old, now] = [readRecorded(), await readPublished()];
  const why = old === undefined ? [] : findObjections(old, now);
  if (why.length === 0) for (const name of names) writeFileSync(resolve(folder, name), now[name]);
  return why;
}
