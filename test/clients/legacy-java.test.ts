import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { runToEnd } from '../../src/adapters/formats/port/format.ts';
import { xml } from '../../src/adapters/formats/xml/xml.ts';
import { User } from '../../src/domain/kinds/user/user.ts';
import { naming } from '../contract/format.ts';
import { missing, needed } from '../outside/tools.ts';
import { limits } from '../support/limits.ts';
import { aDataFolder, discardProcesses, type Environment, run, startProcess } from '../support/process.ts';
import { anyUser, largestUser } from '../support/users.ts';
import { changedUnder, grown, known } from './later-members.ts';
import { provision, publicUrl } from './legacy-java-provisioning.ts';
import { clientFolder, succeed } from './programs.ts';

const steps = [
  'created and read',
  'changed',
  'stale write refused',
  'wrong write refused',
  'listed',
  'deleted',
  'let in when challenged',
];

/** A service with an API key for it, and one for an identity provider, as that keeps it. */
async function open(env: Environment = {}) {
  const folder = aDataFolder();
  const settings = { ...env, USERS_API_KEYS_FILE: join(folder, 'keys.json') };
  const scope = 'users:write users:delete';
  const ofBoth = `${scope} groups:write groups:delete`;
  const { log } = await run(['api-key', '--id', 'legacy', '--scope', ofBoth], folder, settings);
  const provider = await run(['api-key', '--id', 'provider', '--scope', scope], folder, settings);
  const { url } = await startProcess({ folder, env: settings });
  return { url, key: String(log[0]), providerSecret: String(provider.log[1]) };
}

const codec = xml.codec<User>(User, naming);

/** What the client has written to a file, as the service reads it. */
function readWritten(file: string): string {
  const { value, violations } = runToEnd(codec.read(readFileSync(file)));
  expect(violations).to.deep.equal([]);
  return codec.print(value as User);
}

describe('A legacy client in Java, with classes that xjc generates from the published XML Schema,', () => {
  let service: Awaited<ReturnType<typeof open>>;
  let java: (name: string, ...args: readonly string[]) => Promise<string[]>;

  /** What the client's XML Schema validator and its JAXB make of the users. */
  async function read(users: readonly User[]) {
    const [from, to] = [aDataFolder(), aDataFolder()];
    for (const [index, user] of users.entries()) writeFileSync(join(from, `${index}`), codec.print(user));
    const refused = await java('ReadEveryUser', `${service.url}/schemas/user.xsd`, from, to);
    return { refused, written: (index: number) => readWritten(join(to, `${index}`)) };
  }

  before('is generated and compiled', async function () {
    const mvn = needed(this, 'mvn');
    const program = needed(this, 'java');
    needed(this, 'javac');
    const repository = process.env.MAVEN_REPOSITORY ?? missing(this, "the client's Maven repository");
    service = await open();
    const built = aDataFolder();
    const settings = { 'maven.repo.local': repository, service: service.url, directory: built };
    const properties = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
    await succeed(mvn, ['-o', '-q', '-B', '-f', clientFolder('legacy-java'), ...properties, 'compile']);
    const classes = `${join(built, 'classes')}:${join(built, 'libraries', '*')}`;
    java = (name, ...args) => succeed(program, ['-cp', classes, `legacy.${name}`, ...args]);
  });
  after(discardProcesses);

  it('creates, reads, changes, lists and deletes in XML', async () => {
    expect(await java('LegacyClient', service.url, service.key, 'application/xml')).to.deep.equal(steps);
  });

  it('does the same with the default Accept of Java where XML is the default format', async () => {
    const { url, key } = await open({ USERS_DEFAULT_FORMAT: 'xml' });
    const old = 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2';
    expect(await java('LegacyClient', url, key)).to.deep.equal(steps);
    expect(await java('LegacyClient', url, key, old)).to.deep.equal(steps);
  });

  it('creates, reads, changes, lists and deletes groups, and their members, in XML', async () => {
    const { url, key } = await open();
    expect(await java('GroupClient', url, key)).to.deep.equal([
      ...['created and read', 'changed', 'members changed', 'listed', 'deleted'],
    ]);
  });

  it('finds every user valid, and writes each one back without a changed character', async () => {
    const users = [largestUser(), ...fc.sample(anyUser(), 300), ...limits.map(({ within }) => within)];
    const { refused, written } = await read(users);
    expect(refused.join('\n')).to.equal('');
    for (const [index, user] of users.entries()) expect(written(index)).to.equal(codec.print(user));
  });

  it('reads users that Okta and Entra ID created, and writes them back without a changed character', async () => {
    const { url, key, providerSecret } = await open({ USERS_PUBLIC_URL: publicUrl });
    const { documents, readByScim } = await provision(url, providerSecret);
    const ids = [...documents.keys()];
    const before = await Promise.all(ids.map(readByScim));
    const folder = aDataFolder();
    expect(await java('RewriteUsers', url, key, folder, ...ids)).to.deep.equal(ids);
    for (const [id, document] of documents) expect(readWritten(join(folder, id))).to.equal(document);
    expect(await Promise.all(ids.map(readByScim))).to.deep.equal(before);
  });

  describe('of contract 1.12, when it changes a user that has later members,', () => {
    const title = 'Countess';
    const unchecked = (user: string, key: string) => java('ChangeTitle', user, key, title);
    const checked = (user: string, key: string) =>
      java('ChangeTitle', user, key, title, String(new URL('../schemas/1.12/user.xsd', user)));

    it('finds the user valid and loses nothing if it is pinned', async () => {
      for (const change of [checked, unchecked])
        expect(await changedUnder('1.12', change)).to.deep.equal({ ...grown, title });
    });

    it('removes them if it is not pinned', async () => {
      expect(await changedUnder(undefined, unchecked)).to.deep.equal({ ...known, title });
    });

    it('cannot read the user if it validates and is not pinned', async () => {
      const failure = await changedUnder(undefined, checked).catch((error: Error) => error.message);
      expect(failure).to.match(/SAXParseException.*cvc-complex-type.*preferred/);
    });
  });

  it('finds values beyond a limit invalid', async () => {
    const { refused } = await read(limits.map(({ beyond }) => beyond));
    const taken = limits.filter((_, index) => !refused.some((line) => line.startsWith(`${index} `)));
    expect(taken.map(({ name }) => name)).to.deep.equal([]);
  });
});
