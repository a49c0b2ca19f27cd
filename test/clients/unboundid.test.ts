import { join } from 'node:path';
import { expect } from 'chai';
import { missing, needed } from '../outside/tools.ts';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, startProcess } from '../support/process.ts';
import { clientFolder, succeed } from './programs.ts';

const scopes = ['users:write', 'groups:write', 'groups:delete'];

describe('UnboundID’s SCIM 2 SDK', () => {
  let libraries: string;

  before('compiles a client', async function () {
    const mvn = needed(this, 'mvn');
    needed(this, 'java');
    needed(this, 'javac');
    const repository = process.env.MAVEN_REPOSITORY ?? missing(this, "the client's Maven repository");
    const built = aDataFolder();
    const settings = [`-Dmaven.repo.local=${repository}`, `-Ddirectory=${built}`];
    await succeed(mvn, ['-o', '-q', '-B', '-f', clientFolder('unboundid'), ...settings, 'compile']);
    libraries = `${join(built, 'classes')}:${join(built, 'libraries', '*')}`;
  });
  after(discardProcesses);

  it('creates, replaces, patches, finds and deletes groups, and changes them by Bulk', async () => {
    const port = await aFreePort();
    // The SDK needs whole URLs (docs/scim.md).
    const url = `http://127.0.0.1:${port}`;
    const service = await startProcess({ env: { USERS_PORT: String(port), USERS_PUBLIC_URL: url } });
    const args = ['-cp', libraries, 'scim.Groups', `${url}/scim/v2`, await service.token(scopes)];
    expect(await succeed('java', args)).to.deep.equal([
      ...['created and read', 'replaced', 'patched', 'searched', 'changed by Bulk', 'deleted'],
    ]);
  });
});
