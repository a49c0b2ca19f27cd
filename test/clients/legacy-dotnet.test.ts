import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { needed } from '../outside/tools.ts';
import { aDataFolder, discardProcesses } from '../support/process.ts';
import { changedUnder, grown, known } from './later-members.ts';
import { clientFolder, readExample, succeed } from './programs.ts';

const source = join(clientFolder('legacy-dotnet'), 'ChangeTitle.cs');

describe('A legacy client in C#, with classes of contract 1.12 and XmlSerializer, when it changes a user that has later members,', () => {
  const title = 'Countess';
  let change: (user: string, key: string) => Promise<unknown>;

  before('is generated and compiled', async function () {
    const xsd = needed(this, 'xsd');
    const mcs = needed(this, 'mcs');
    const mono = needed(this, 'mono');
    const built = aDataFolder();
    const program = join(built, 'ChangeTitle.exe');
    const options = ['/classes', '/namespace:Example.Users', `/outputdir:${built}`];
    await succeed(xsd, ['contracts/1.12/user.xsd', ...options]);
    await succeed(mcs, ['-r:System.Net.Http', `-out:${program}`, source, join(built, 'user.cs')]);
    change = (user, key) => succeed(mono, [program, user, key, title]);
  });
  after(discardProcesses);

  it('loses nothing if it is pinned', async () => {
    expect(await changedUnder('1.12', change)).to.deep.equal({ ...grown, title });
  });

  it('removes them if it is not pinned', async () => {
    expect(await changedUnder(undefined, change)).to.deep.equal({ ...known, title });
  });
});

describe('docs/clients.md', () => {
  it('has the tested code of the client in C#', () => {
    const [, section = ''] = readFileSync('docs/clients.md', 'utf8').split('\n## XML, in .NET\n');
    expect(/^```cs\n(.*?)\n```$/ms.exec(section)?.[1]).to.equal(readExample(source));
  });
});
