import { join } from 'node:path';
import { expect } from 'chai';
import { discardProcesses, type Environment, startProcess } from '../support/process.ts';
import { runHere } from './called.ts';
import { ask, phonebook, prepare, sales, statusOf } from './profiled.ts';

describe('The file of access profiles', () => {
  afterEach(discardProcesses);

  it('is read again when it changes, from the next request on', async () => {
    const { folder, env, write } = prepare(phonebook);
    const service = await startProcess({ folder, env });
    expect((await ask(service, 'phonebook')).body.profile.users.read).to.deep.equal(['userName']);
    expect(await statusOf(service, 'sales')).to.equal(403);
    write("phonebook: { users: { read: ['userName', 'title'] } }", sales);
    expect((await ask(service, 'phonebook')).body.profile.users.read).to.deep.equal(['userName', 'title']);
    expect(await statusOf(service, 'sales')).to.equal(200);
    write(sales);
    const { status, body } = await ask(service, 'phonebook');
    expect([status, body.detail]).to.deep.equal([403, 'This service has no access profile phonebook.']);
  });

  it('limits the API keys that name one of its profiles; the command refuses others, and lists them', async () => {
    const { folder, env: file, write } = prepare(phonebook, sales);
    const env: Environment = { ...file, USERS_API_KEYS_FILE: join(folder, 'keys.json') };
    const add = (...options: readonly string[]) =>
      runHere(['api-key', '--id', 'crm', '--scope', 'users:read', ...options], folder, env);
    const limited = await add('--profile', 'sales');
    const whole = await add();
    const wrong = await add('--profile', 'salse');
    expect([wrong.code, wrong.told]).to.deep.equal([
      1,
      [`Not done: ${file.USERS_ACCESS_FILE} has no profile salse (perhaps sales)`],
    ]);
    expect((await add('--profile', 'Sales')).told.join()).to.include(
      'up to 64 lower-case letters, digits and -',
    );
    const strict = await runHere(['api-key', '--id', 'erp', '--scope', 'users:read'], folder, {
      ...env,
      USERS_ACCESS_REQUIRE_PROFILE: 'true',
    });
    expect(strict.told).to.deep.equal([
      'Not done: the service requires an access profile (USERS_ACCESS_REQUIRE_PROFILE): give --profile',
    ]);
    const listed = await runHere(['api-key', 'list'], folder, env);
    expect(listed.log.map((line) => line.split('\t').slice(1))).to.deep.equal([
      ['crm', 'users:read', 'never expires', 'profile sales'],
      ['crm', 'users:read', 'never expires'],
    ]);
    const service = await startProcess({ folder, env });
    const read = async (key: unknown) => {
      const headers = { authorization: `Bearer ${key}` };
      const response = await fetch(`${service.url}/access`, { headers });
      return { status: response.status, profile: (await response.json()).profile?.name };
    };
    expect(await read(limited.log[1])).to.deep.equal({ status: 200, profile: 'sales' });
    expect(await read(whole.log[1])).to.deep.equal({ status: 200, profile: undefined });
    write(phonebook);
    expect(await read(limited.log[1])).to.deep.equal({ status: 403, profile: undefined });
    const { code, log } = await runHere(['check'], folder, env);
    const lines = log.filter((line) => line.includes(' access: '));
    expect(code).to.equal(0);
    expect(lines[0]).to.equal('ok     access: 1 profile: phonebook');
    expect(lines[1]).to.match(
      /^note {3}access: the API key crm \([0-9a-f]{8}\) is refused: there is no profile sales$/,
    );
    const findRefused = async (more: Record<string, string>): Promise<readonly string[]> => {
      const checked = await runHere(['check'], folder, { ...env, ...more });
      return checked.log.flatMap((line) => / is refused: (.*)/.exec(line)?.[1] ?? []);
    };
    expect(await findRefused({ USERS_ACCESS_REQUIRE_PROFILE: 'true' })).to.deep.equal([
      'there is no profile sales',
      'it has no profile (USERS_ACCESS_REQUIRE_PROFILE)',
    ]);
    expect(await findRefused({ USERS_ACCESS_FILE: '' })).to.deep.equal([
      'there is no profile sales (USERS_ACCESS_FILE is not set)',
    ]);
  });
});
