import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { Machine } from './machine.ts';
import { blocksIn, callsIn, codeIn, optionsByCommand, pages } from './printed-commands.ts';

describe('The handbook for operators', () => {
  let machine: Machine;
  const backup = '/var/lib/user-management-backups/users-2030-01-01T020000Z.db';
  const backups = () => readdirSync(join(machine.root, 'var/lib/user-management-backups'));
  /** Makes a backup that old. @returns its name */
  const oldBackup = async (days: number) => {
    const name = `users-${days}-days-ago.db`;
    await machine.run(`touch --date '${days} days ago' /var/lib/user-management-backups/${name}`);
    return name;
  };
  const names = async () =>
    (await machine.run('user-management export --format jsonl -')).match(/(?<="userName":")\w+/g);
  const importUsers = (...users: readonly string[]) => {
    machine.write('work/new.jsonl', users.map((userName) => `${JSON.stringify({ userName })}\n`).join(''));
    return machine.run('user-management import new.jsonl');
  };

  before(async () => {
    machine = new Machine(await aFreePort());
    const [, files = '', start = ''] = blocksIn('docs/operate/install.md', 'sh');
    await machine.run(files, { withSettings: false });
    // What the operator sets: API keys, and here a base path.
    const settings = 'etc/user-management/environment';
    const edited = machine.read(settings).replace(/^#(?=USERS_API_KEYS_FILE)/m, '');
    machine.write(settings, `${edited}USERS_BASE_PATH='/people'\n`);
    await machine.run('user-management api-key --id first --scope "users:read"');
    await machine.run(start, { withSettings: false });
    await importUsers('ada', 'grace');
    await machine.run(
      `systemctl start user-management-backup\nmv /var/lib/user-management-backups/* ${backup}`,
    );
    await importUsers('late');
    machine.write('work/users.csv', 'userName,displayName\nada,Ada\nlinus,Linus\n');
  });
  after(() => machine?.discard());

  it('installs a service that is ready at the port and base path of its settings', async () => {
    expect(await machine.run('user-management probe')).to.equal('ready\n');
    expect(machine.read('run/user-management.log')).to.contain('/people/users');
  });

  it('keeps backups for thirty days, and removes older ones after the next backup', async () => {
    const [last, first] = [await oldBackup(29), await oldBackup(32)];
    await machine.run('systemctl start user-management-backup');
    expect(backups()).to.include(last).and.not.include(first);
  });

  const itRunsAll = (page: string) => {
    for (const block of blocksIn(page, 'sh'))
      it(`prints commands that run, in ${page}: ${block.split('\n', 1)}`, async () => {
        const fingerprint = '"$(user-management api-key list | sed -n \'s/\\tlegacy-erp\\t.*//p;T;q\')"';
        await machine.run(block.replace(/FINGERPRINT|00000000/, fingerprint));
      });
  };

  itRunsAll('docs/operate/at-three-in-the-morning.md');

  it('removes backups that are older than a week', () => {
    expect(backups()).to.not.include('users-29-days-ago.db');
  });

  it('restores yesterday’s users and those of the imported file', async () => {
    expect(await names()).to.have.members(['ada', 'grace', 'linus']);
  });

  for (const page of ['operate/configure', 'operate/back-up', 'operate/upgrade', 'authentication', 'files'])
    itRunsAll(`docs/${page}.md`);

  itRunsAll('docs/operate/personal-data.md');

  it('erases the person, also from the change log, and keeps all other users', async () => {
    expect(await names())
      .to.include('grace')
      .and.not.include('ada');
    const log = await machine.run('user-management export --kind changes --format jsonl -');
    expect(log).to.include('"label":"grace"').and.not.to.include('"ada"');
    expect(machine.read('work/ada-changes.json')).to.include('"label":"ada"');
  });

  it('prints lines for cron that cron can run', async () => {
    const lines = blocksIn('docs/operate/back-up.md', 'crontab').flatMap((block) => block.trim().split('\n'));
    expect(lines).not.to.deep.equal([]);
    for (const line of lines) {
      const [, command = ''] = /^(?:[\d*/,-]+ ){5}(.*)$/.exec(line) ?? [];
      // cron ends a command at a bare %, and takes the rest for its input (crontab(5)).
      await machine.run((/^(?:\\%|[^%])*/.exec(command)?.[0] ?? '').replaceAll('\\%', '%'));
    }
    expect(readdirSync(join(machine.root, 'backups'))).to.have.length(lines.length);
  });
});

describe('A printed command', () => {
  const options = optionsByCommand();
  for (const page of pages)
    it(`is a command of the program with existing options: ${page}`, () => {
      for (const code of codeIn(page))
        for (const { text, command, options: given } of callsIn(code, options)) {
          expect([...options.keys()], text).to.include(command);
          for (const option of given) expect(options.get(command), text).to.include(option);
        }
    });
});
