/**
 * `npm run bench -- moved-groups`: a directory of a million users, 10,000 groups and 3 million memberships out into files and in again, by the program
 * itself, and compared resource by resource, membership by membership; then the same files again, which change nothing.
 * `--users 100000 --groups 1000` takes fewer, `--format csv` another format, `--by name` names in the place of ids.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openSqliteStore } from '../src/adapters/stores/sqlite/open-store.ts';
import { Writes } from '../src/adapters/stores/sqlite/write/writes.ts';
import { listCopied } from '../src/domain/import/copy-resources.ts';
import { findDifferences } from '../src/domain/import/differences.ts';
import { membershipFile } from '../src/domain/import/memberships.ts';
import { kindsOf } from '../src/domain/kinds.ts';
import type { StoredResource } from '../src/domain/store.ts';
import { isDeepEqual } from '../src/domain/validation/plain-values.ts';
import { fill, idOf, openNewFile, tables } from './directory.ts';
import { runProgram } from './run-program.ts';

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    groups: { type: 'string', default: '10000' },
    format: { type: 'string', default: 'jsonl' },
    by: { type: 'string', default: 'id' },
  },
});
const [users, groups] = [Number(values.users), Number(values.groups)];
const membersOfGroup = 300;
/** A prime number: the members of a group are different users. */
const distance = 331;

const folder = mkdtempSync(join(tmpdir(), 'users-groups-'));
const [source, target] = [join(folder, 'source.db'), join(folder, 'target.db')];

const groupIdOf = (at: number): string => idOf(at).replace(/^0{8}/, '00000001');

function fillGroups(): void {
  const db = openNewFile(source);
  const writes = new Writes(db, tables);
  const meta = {
    created: '2026-01-02T03:04:05.678Z',
    lastModified: '2026-01-02T03:04:05.678Z',
    version: 'v',
  };
  const insert = db.transaction((from: number) => {
    for (let at = from; at < Math.min(groups, from + 100); at += 1) {
      const id = groupIdOf(at);
      const add = Array.from({ length: membersOfGroup }, (_, nth) =>
        idOf((at * 97 + nth * distance) % users),
      );
      const text = JSON.stringify({ id, displayName: `Group ${at}`, description: 'A group', meta });
      const by = '{"client":"bench","via":"test"}';
      writes.apply({ kind: 'group', id, by, op: 'create', text, members: { add, remove: [] } });
    }
    writes.finish();
  });
  for (let from = 0; from < groups; from += 100) insert(from);
  db.close();
}

async function run(file: string, ...command: string[]): Promise<void> {
  const { seconds, memory, told } = await runProgram(folder, file, command);
  console.log(`${command.join(' ')}: ${told}; ${seconds.toFixed(1)} s, ${memory.toFixed(0)} MiB`);
}

/** An import gives new dates and versions. */
const isSame = (one: StoredResource, other: StoredResource): boolean =>
  isDeepEqual({ ...one.value, meta: {} }, { ...other.value, meta: {} });

/** @throws Error for any difference */
async function compare(): Promise<void> {
  const onFatal = (cause: unknown): never => {
    throw cause;
  };
  const [one, other] = await Promise.all([source, target].map((file) => openSqliteStore({ file, onFatal })));
  if (one === undefined || other === undefined) throw new Error('a store is not open');
  for (const kind of [...kindsOf().all, membershipFile]) {
    for await (const { id } of findDifferences(listCopied(kind, one), listCopied(kind, other), isSame))
      throw new Error(`the directories differ in ${kind.name} ${id}`);
  }
  for (const store of [one, other]) await store.close();
}

try {
  console.log(`${users} users, ${groups} groups, ${groups * membersOfGroup} memberships`);
  fill(source, 0, users);
  fillGroups();
  for (const kind of ['users', 'groups', 'memberships']) {
    const path = join(folder, `${kind}.${values.format}`);
    const by = kind === 'memberships' ? ['--by', values.by] : [];
    await run(source, 'export', `${kind}.${values.format}`, '--kind', kind, ...by);
    console.log(`  ${(statSync(path).size / 1e6).toFixed(1)} MB`);
    await run(target, 'import', `${kind}.${values.format}`, '--kind', kind);
  }
  await compare();
  console.log('both directories are equal');
  for (const kind of ['groups', 'memberships'])
    await run(target, 'import', `${kind}.${values.format}`, '--kind', kind);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
