/** The file of declared attributes, changed between two starts on one store: what is promised of any store. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Declared } from '../../src/domain/kinds/attributes/declaration.ts';
import { until } from '../support/deadlines.ts';
import {
  aDataFolder,
  discardProcesses,
  type Environment,
  type Process,
  run,
  startProcess,
} from '../support/process.ts';

type Attributes = Readonly<Record<string, Declared>>;

const badge = { badge: { type: 'integer', filter: true } } as const;

export function declared(
  folder: string,
  attributes: Attributes,
  name = 'attributes.json5',
  groups: Attributes = {},
): Environment {
  writeFileSync(join(folder, name), JSON.stringify({ attributes, groups }));
  return { USERS_ATTRIBUTES_FILE: name };
}

async function send(service: Process, path: string, body?: object, method = 'POST') {
  const answer = await fetch(service.url + path, {
    ...(body && { method, body: JSON.stringify(body) }),
    headers: { Authorization: `Bearer ${await service.token()}`, 'Content-Type': 'application/json' },
  });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text) };
}

/** Reads as soon as the keys are made that another file of declarations asks for. */
async function read(service: Process, path: string) {
  let answer = await send(service, path);
  await until(`${path} is answered`, async () => {
    answer = await send(service, path);
    return answer.status !== 503;
  });
  return answer.json;
}

export const create = async (service: Process, userName: string, attributes: object): Promise<string> =>
  (await send(service, '/users', { userName, attributes })).json.id;

/** @param store its settings */
export function itKeepsThePromises(store: () => Environment): void {
  afterEach(discardProcesses);

  const start = (folder: string, attributes?: Attributes, name?: string, groups?: Attributes) =>
    startProcess({
      ...{ folder, env: { ...store(), ...(attributes && declared(folder, attributes, name, groups)) } },
    });

  const check = async (folder: string, env: Environment) => {
    const { code, log } = await run(['check', '--attributes', 'next.json5'], folder, env);
    return [code, log.filter((line) => line.includes(' attributes: '))];
  };

  const fault = async (folder: string, attributes: Attributes): Promise<string> => {
    const env = { ...store(), ...declared(folder, attributes) };
    const { code, told } = await run([], folder, env);
    expect(code).to.not.equal(0);
    return told.join('\n');
  };

  it('refuses to lose stored values: an attribute is retired, not removed, and keeps its type', async () => {
    const folder = aDataFolder();
    const first = await start(folder, badge);
    const id = await create(first, 'ada', { badge: 42 });
    await first.stop();
    expect(await fault(folder, {})).to.include(
      `attributes.badge: it is no longer declared, but 1 user has a value: ${id}. Declare it with retired: true`,
    );
    expect(await fault(folder, { badge: { type: 'string' } })).to.include(
      `attributes.badge: its type changes, but 1 user has a value: ${id}.`,
    );
    const second = await start(folder, { badge: { ...badge.badge, retired: true } });
    expect((await read(second, `/users/${id}`)).attributes).to.deep.equal({ badge: 42 });
    const changed = await send(second, `/users/${id}`, { userName: 'ada', attributes: { badge: 43 } }, 'PUT');
    expect(changed.status).to.equal(422);
    await second.stop();
  });

  it('turns stored texts into typed values, and refuses a type that they do not fit', async () => {
    const folder = aDataFolder();
    const first = await start(folder);
    const id = await create(first, 'ada', { badge: '042', floor: '2' });
    const other = await create(first, 'grace', { level: 'high' });
    await first.stop();
    expect(await fault(folder, { level: { type: 'integer' } })).to.include(
      `attributes.level: it is added as integer, but 1 user has a value that breaks the rules: ${other}.`,
    );
    const second = await start(folder, badge);
    expect((await read(second, `/users/${id}`)).attributes).to.deep.equal({ badge: 42, floor: '2' });
    const { json } = await send(second, `/users/${id}/history`);
    expect(json.changes.map(({ via }: { via: string }) => via)).to.deep.equal(['attributes', 'users']);
    expect((await read(second, '/users?attributes.badge=42')).users).to.have.length(1);
    await second.stop();
  });

  it('refuses writes of a process with an older file once one with a newer file has been started', async () => {
    const folder = aDataFolder();
    const older = await start(folder, badge);
    const id = await create(older, 'ada', { badge: 42 });
    const newer = await start(folder, { ...badge, note: { type: 'string' } }, 'newer.json5');
    expect((await send(older, '/users', { userName: 'grace' })).status).to.equal(503);
    expect((await send(older, `/users/${id}`)).status).to.equal(200);
    expect((await send(newer, '/users', { userName: 'grace', attributes: { note: 'x' } })).status).to.equal(
      201,
    );
    await older.logged(/this one takes no more writes/);
  });

  it('lets processes without its unique attributes read on', async () => {
    const folder = aDataFolder();
    const older = await start(folder, badge);
    await create(older, 'ada', { badge: 42 });
    const newer = await start(folder, { ...badge, code: { type: 'string', unique: true } }, 'newer.json5');
    for (const query of ['', '?attributes.badge=42', '?search=ada&sort=userName'])
      expect((await send(older, `/users${query}`)).json.users).to.have.length(1);
    expect((await send(older, '/users', { userName: 'grace' })).status).to.equal(503);
    const { code, log } = await run(['export', '--format', 'jsonl'], folder, store());
    expect([code, log.length]).to.deep.equal([0, 1]);
    expect((await send(newer, '/users', { userName: 'grace' })).status).to.equal(201);
  });

  it('does not reach a service without declarations by a command that has them already', async () => {
    const folder = aDataFolder();
    const service = await start(folder);
    await create(service, 'ada', { badge: '42' });
    const env = { ...store(), ...declared(folder, badge) };
    const exported = await run(['export', '--format', 'jsonl'], folder, env);
    expect([exported.code, exported.log.length]).to.deep.equal([0, 1]);
    writeFileSync(join(folder, 'bob.jsonl'), '{"userName": "bob", "attributes": {"badge": 7}}\n');
    const imported = await run(['import', 'bob.jsonl'], folder, env);
    expect([imported.code, imported.told.join()]).to.satisfy(
      ([code, told]: [number, string]) => code === 1 && told.includes('A process with other attributes'),
    );
    expect((await send(service, '/users', { userName: 'cleo' })).status).to.equal(201);
    expect((await read(service, '/users')).users).to.have.length(2);
    await service.stop();
  });

  it('is examined by check --attributes, with counts and ids, before anything is done', async () => {
    const folder = aDataFolder();
    const first = await start(folder, { ...badge, level: { type: 'string' } });
    const id = await create(first, 'ada', { badge: 42, level: 'high' });
    await first.stop();
    const env = { ...store(), ...declared(folder, { ...badge, level: { type: 'string' } }) };
    declared(folder, { badge: { type: 'integer', maximum: 10 }, note: { type: 'string' } }, 'next.json5');
    expect(await check(folder, env)).to.deep.equal([
      1,
      [
        `note   attributes: attributes.badge: 1 user has a value that breaks the rules: ${id}; they stay until they are written`,
        'ok     attributes: attributes.note: is added',
        `fault  attributes: attributes.level: it is no longer declared, but 1 user has a value: ${id}. Declare it with retired: true`,
      ],
    ]);
  });

  it('is examined without an end of the change log, also with settings that turn it off', async () => {
    const folder = aDataFolder();
    const first = await start(folder, badge);
    await create(first, 'ada', { badge: 42 });
    await first.stop();
    const env = { ...store(), ...declared(folder, badge) };
    declared(folder, badge, 'next.json5');
    const found = [0, ['ok     attributes: nothing changes']];
    expect(await check(folder, { ...env, USERS_CHANGES_RETENTION: '0' })).to.deep.equal(found);
    const { log } = await run(['export', '--kind', 'changes', '--format', 'jsonl'], folder, env);
    expect(log.map((line) => JSON.parse(line).type)).to.deep.equal(['user.created']);
  });

  it('may refer to users that do not exist, which check --attributes counts', async () => {
    const folder = aDataFolder();
    const mentor = { mentor: { type: 'user' }, guides: { type: 'user', list: true } } as const;
    const first = await start(folder, mentor, undefined, mentor);
    const [gone, other] = [await create(first, 'ada', {}), await create(first, 'grace', {})];
    const id = await create(first, 'bob', { mentor: gone, guides: [other, gone] });
    await create(first, 'cy', { mentor: other });
    const group = { displayName: 'Engines', attributes: { guides: [gone] } };
    const { id: groupId } = (await send(first, '/groups', group)).json;
    const env = { ...store(), ...declared(folder, mentor, 'next.json5', mentor) };
    expect(await check(folder, env)).to.deep.equal([0, ['ok     attributes: nothing changes']]);
    await send(first, `/users/${gone}`, {}, 'DELETE');
    const what = 'the id of a user that does not exist';
    expect(await check(folder, env)).to.deep.equal([
      0,
      [
        'ok     attributes: nothing changes',
        `note   attributes: attributes.mentor: 1 user has ${what}: ${id}`,
        `note   attributes: attributes.guides: 1 user has ${what}: ${id}`,
        `note   attributes: groups.guides: 1 group has ${what}: ${groupId}`,
      ],
    ]);
    await first.stop();
  });

  it('changes the attributes of groups by the same rules', async () => {
    const folder = aDataFolder();
    const first = await start(folder);
    const attributes = { number: '007', size: 'large' };
    const { id } = (await send(first, '/groups', { displayName: 'Engines', attributes })).json;
    await create(first, 'ada', { number: 'seven', size: '3' });
    await first.stop();
    const number = { number: { type: 'integer', filter: true } } as const;
    declared(folder, {}, 'next.json5', { ...number, size: { type: 'integer' } });
    expect(await check(folder, store())).to.deep.equal([
      1,
      [
        'note   attributes: groups.number: 1 text becomes a value of the type',
        `fault  attributes: groups.size: it is added as integer, but 1 group has a value that breaks the rules: ${id}. Mend them, or declare another name`,
      ],
    ]);
    const second = await start(folder, {}, undefined, number);
    expect((await read(second, '/groups?attributes.number=7')).groups[0].attributes).to.deep.equal({
      ...{ number: 7, size: 'large' },
    });
    expect((await read(second, '/users')).users[0].attributes).to.deep.equal({ number: 'seven', size: '3' });
    await second.stop();
    expect(await fault(folder, {})).to.include(
      `groups.number: it is no longer declared, but 1 group has a value: ${id}. Declare it with retired: true`,
    );
  });
}
