import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { discardProcesses, type Environment, run, startProcess } from '../support/process.ts';
import { sumOf } from '../support/prometheus-text.ts';
import { runHere } from './called.ts';
import { ask, phonebook, prepare, sales, statusOf } from './profiled.ts';
import { startWatched } from './watched-metrics.ts';

describe('The file of access profiles', () => {
  afterEach(discardProcesses);

  it('keeps its last good version for the configured time while it is damaged; then credentials with a profile get 503, and no others', async () => {
    const { folder, file, env, write } = prepare(phonebook);
    const service = await startProcess({ folder, env: { ...env, USERS_KEY_FILES_MAX_STALE: '1' } });
    expect(await statusOf(service, 'phonebook')).to.equal(200);
    write("phonebook: { users: { read: ['usrName'] } }");
    const fault = JSON.parse(
      await service.logged(/access\.json5: profiles\.phonebook\.users\.read: .* \(perhaps userName\)/),
    );
    expect(fault).to.include({ level: 50 });
    await service.logged(/credentials with an access profile are refused until it is good again/);
    for (const profile of ['phonebook', 'unknown']) {
      const { status, headers, body } = await ask(service, profile, '/users');
      expect([status, headers.has('retry-after')]).to.deep.equal([503, true]);
      expect(body.type).to.equal('/problems/unavailable');
    }
    expect(await statusOf(service, undefined, '/users')).to.equal(200);
    rmSync(file);
    expect(await statusOf(service, 'phonebook')).to.equal(503);
    write(phonebook);
    expect(await statusOf(service, 'phonebook')).to.equal(200);
  });

  it('prevents the start when it is missing or wrong, with all mistakes in one line, and leaves no data behind', async () => {
    const { folder, file, env, write } = prepare("clerk: { users: { read: 'all' }, group: {} }");
    const refusalOf = async (more: Environment = {}) => {
      const { code, told } = await run([], folder, { ...env, ...more });
      expect(code).to.equal(1);
      return told.join('\n').replace('The service did not start: ', '');
    };
    const setting = 'access.file (USERS_ACCESS_FILE)';
    expect(await refusalOf()).to.equal(
      `${setting}: ${file}: profiles.clerk.group: must not stand here (perhaps groups); ${file}: profiles.clerk.users.read: must be '*' or a list of names`,
    );
    write("clerk: { users: { read: ['x'], where: { y: 1 } } }");
    expect(await refusalOf()).to.equal(
      `${setting}: ${file}: profiles.clerk.users.where: y is no filter for the fields of users; ${file}: profiles.clerk.users.read: a user has no member x`,
    );
    writeFileSync(file, '{ profiles: { ');
    expect(await refusalOf()).to.include(`${setting}: ${file}: JSON5: invalid end of input at 1:15`);
    rmSync(file);
    expect(await refusalOf()).to.match(
      /access\.file \(USERS_ACCESS_FILE\): \S+access\.json5: .*(ENOENT|no such)/,
    );
    expect(existsSync(join(folder, 'data'))).to.equal(false);
    expect(await refusalOf({ USERS_ACCESS_FILE: '', USERS_ACCESS_REQUIRE_PROFILE: 'true' })).to.equal(
      'access: requireProfile (USERS_ACCESS_REQUIRE_PROFILE) refuses all credentials without file (USERS_ACCESS_FILE)',
    );
  });

  it('is read by commands and the service, whose writes record for followers what is inside a profile', async () => {
    const { folder, env } = prepare(sales);
    const file = join(folder, 'users.json');
    const userOf = (userName: string, department: string) => ({ userName, enterprise: { department } });
    const importUsers = (users: readonly object[], more: Environment = {}) => {
      writeFileSync(file, JSON.stringify({ users }));
      return runHere(['import', file], folder, { ...env, ...more });
    };
    expect((await importUsers([userOf('ann', 'Sales'), userOf('bob', 'Other')])).code).to.equal(0);
    const service = await startProcess({ folder, env });
    const token = (scopes: string[]) => service.token([...scopes, 'changes:read', 'as:sales']);
    const follow = async (since: string) => {
      const headers = { authorization: `Bearer ${await token(['users:read'])}` };
      const response = await fetch(`${service.url}/changes?since=${since}`, { headers });
      const { changes = [], next = '' } = await response.json();
      return { status: response.status, count: changes.length, next };
    };
    const { count, next } = await follow('start');
    expect(count).to.equal(1);
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${await service.token(['users:write'])}`,
    };
    for (const user of [userOf('cam', 'Sales'), userOf('dan', 'Other')])
      await fetch(`${service.url}/users`, { method: 'POST', headers, body: JSON.stringify(user) });
    expect(await follow(next)).to.include({ status: 200, count: 1 });
    expect((await importUsers([userOf('eve', 'Other')], { USERS_ACCESS_FILE: '' })).code).to.equal(0);
    expect((await follow(next)).status).to.equal(410);
    await service.stop();
  });

  it('is checked by the command check, which names each mistake', async () => {
    const { folder, file, env } = prepare("clerk: { users: { read: ['x'], except: ['y'] } }");
    const { code, log } = await runHere(['check'], folder, env);
    expect(code).to.equal(1);
    expect(log.filter((line) => line.includes(' access: '))).to.deep.equal([
      `fault  access: access.file (USERS_ACCESS_FILE): ${file}: profiles.clerk.users.read: a user has no member x; ${file}: profiles.clerk.users.except: a user has no member y`,
    ]);
  });

  it('limits tokens of the command token, which refuses unknown profiles', async () => {
    const { folder, env } = prepare(phonebook);
    const make = (profile: string, more: Environment = env) =>
      runHere(['token', '--scope', 'users:read', '--profile', profile], folder, more);
    const made = await make('phonebook');
    const service = await startProcess({ folder, env });
    const response = await fetch(`${service.url}/access`, {
      headers: { authorization: `Bearer ${made.log[0]}` },
    });
    expect(await response.json()).to.have.nested.property('profile.name', 'phonebook');
    expect((await make('phonebok')).told).to.deep.equal([
      `No token: ${env.USERS_ACCESS_FILE} has no profile phonebok (perhaps phonebook)`,
    ]);
    expect((await make('phonebook', {})).told).to.deep.equal([
      'No token: set USERS_ACCESS_FILE to the file with the access profiles',
    ]);
  });

  it('has metrics of its age and failures, and of refusals by profile', async () => {
    const { env, write } = prepare(phonebook);
    const { service, samples, samplesAfter } = await startWatched(env);
    await ask(service, 'phonebook', '/groups');
    await ask(service, 'unknown', '/groups');
    await ask(service, undefined, '/groups');
    const all = await samplesAfter(3);
    const refusals = (labels: Readonly<Record<string, string>>) => sumOf(all, 'users_refusals_total', labels);
    expect(refusals({ reason: 'insufficient-scope' })).to.equal(2);
    expect(refusals({ reason: 'insufficient-scope', profile: 'phonebook' })).to.equal(1);
    expect(refusals({ reason: 'profile-refused' })).to.equal(1);
    expect(refusals({ profile: 'unknown' })).to.equal(0);
    const ofFile = { keys: 'access-profiles' };
    expect(sumOf(all, 'users_key_set_fetches_total', ofFile)).to.equal(1);
    expect(sumOf(all, 'users_key_set_failures_total', ofFile)).to.equal(0);
    write('wrong: 1');
    await until(
      'the failure is counted',
      async () => sumOf(await samples(), 'users_key_set_failures_total', ofFile) > 0,
    );
  });
});
