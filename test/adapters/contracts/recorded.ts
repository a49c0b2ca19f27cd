/** The contract as it was recorded last, and as it is: what changed in between is held to docs/compatibility.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { publishedText } from '../../support/contract.ts';
import { breakingInOpenApi, saysSo } from './breaking.ts';
import { breakingInXsd } from './breaking-xsd.ts';

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

export function recorded(): Contract | undefined {
  if (!existsSync(resolve(folder, names[0] ?? ''))) return undefined;
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(resolve(folder, name), 'utf8')]),
  ) as Contract;
}

export async function current(): Promise<Contract> {
  const entries = names.map(async (name) => [name, await publishedText(files[name])] as const);
  return Object.fromEntries(await Promise.all(entries)) as Contract;
}

/** Why a contract may not take another's place; empty when it may. */
export function objections(old: Contract, now: Contract): readonly string[] {
  const [before, after] = [parse(old['openapi.yaml']), parse(now['openapi.yaml'])];
  const breaking = [
    ...breakingInOpenApi(before, after),
    ...breakingInXsd(old['user.xsd'], now['user.xsd']),
    ...breakingInXsd(old['problem.xsd'], now['problem.xsd']),
  ];
  const changed = names.some((name) => old[name] !== now[name]);
  if (!changed || saysSo(before.info.version, after.info.version, breaking.length > 0)) return [];
  const asked =
    breaking.length > 0 ? 'the first number of contractVersion' : 'the second number of contractVersion';
  return [...breaking, `Raise ${asked} (src/adapters/apis/docs/version.ts): it is ${after.info.version}.`];
}

/** @returns why it was not recorded; empty when it was */
export async function record(): Promise<readonly string[]> {
  const [old, now] = [recorded(), await current()];
  const why = old === undefined ? [] : objections(old, now);
  if (why.length === 0) for (const name of names) writeFileSync(resolve(folder, name), now[name]);
  return why;
}
