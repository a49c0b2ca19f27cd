/** The contract as it was recorded and as it is published: changes are held to docs/compatibility.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { publishedText } from '../../support/contract.ts';
import { findBreaksInOpenApi, isVersionRaised } from './breaking.ts';
import { findBreaksInXsd } from './breaking-xsd.ts';
import { recordedFolder } from './frozen.ts';
import { findBreaksInAttributes, printAttributes } from './scim-attributes.ts';

/** Beside the sources, whatever is compiled where. */
const folder = resolve(recordedFolder);
const files = {
  'openapi.yaml': '/openapi.yaml',
  'user.xsd': '/schemas/user.xsd',
  'group.xsd': '/schemas/group.xsd',
  'changes.xsd': '/schemas/changes.xsd',
  'members.xsd': '/schemas/members.xsd',
  'access.xsd': '/schemas/access.xsd',
  'webhooks.xsd': '/schemas/webhooks.xsd',
  'problem.xsd': '/schemas/problem.xsd',
  'user.json': '/schemas/user.json',
  'group.json': '/schemas/group.json',
  'changes.json': '/schemas/changes.json',
  'scim-attributes.txt': '/scim/v2/Schemas',
};
type File = keyof typeof files;
type Contract = Readonly<Record<File, string>>;

const names = Object.keys(files) as readonly File[];
export const recordedNames: readonly string[] = names;

/** Without files that are not recorded yet. */
export const readRecorded = (): Partial<Contract> =>
  Object.fromEntries(
    names
      .filter((name) => existsSync(resolve(folder, name)))
      .map((name) => [name, readFileSync(resolve(folder, name), 'utf8')]),
  );

async function readAs(name: File): Promise<string> {
  const text = await publishedText(files[name]);
  return name === 'scim-attributes.txt' ? printAttributes(JSON.parse(text)) : text;
}

export async function readPublished(): Promise<Contract> {
  const entries = names.map(async (name) => [name, await readAs(name)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Contract;
}

const xsds = names.filter((name) => name.endsWith('.xsd'));

function findObjectionsToVersion(old: Contract, now: Contract): readonly string[] {
  const [before, after] = [parse(old['openapi.yaml']), parse(now['openapi.yaml'])];
  const breaking = [
    ...findBreaksInOpenApi(before, after),
    ...xsds.flatMap((name) => findBreaksInXsd(old[name], now[name])),
  ];
  const changed = names.some((name) => name !== 'scim-attributes.txt' && old[name] !== now[name]);
  if (!changed || isVersionRaised(before.info.version, after.info.version, breaking.length > 0)) return [];
  const number = breaking.length > 0 ? 'first' : 'second';
  const place = 'contractVersion (src/adapters/contracts/versions.ts)';
  return [...breaking, `Raise the ${number} number of ${place}: it is ${after.info.version}.`];
}

/** Reasons why a contract may not take the place of another; empty when it may. */
export const findObjections = (old: Contract, now: Contract): readonly string[] => [
  ...findObjectionsToVersion(old, now),
  ...findBreaksInAttributes(old['scim-attributes.txt'], now['scim-attributes.txt']),
];

/** @returns why it was not recorded; empty when it was */
export async function record(): Promise<readonly string[]> {
  const now = await readPublished();
  const why = findObjections({ ...now, ...readRecorded() }, now);
  if (why.length === 0) for (const name of names) writeFileSync(resolve(folder, name), now[name]);
  return why;
}
