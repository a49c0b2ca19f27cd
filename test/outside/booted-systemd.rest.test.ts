import { expect } from 'chai';
import { blocksIn } from '../docs/printed-commands.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { BootedMachine } from './booted.ts';
import { neededDebian } from './packed.ts';
import { needed } from './tools.ts';

describe('The service under a booted systemd', function () {
  this.timeout(3 * caseDeadline);
  const machine = new BootedMachine();
  const settings = 'set -a; . /etc/user-management/environment; set +a';
  const property = (name: string) => machine.run(`systemctl show --value --property ${name} user-management`);
  /** @returns the names of all users, by an export of root's */
  const names = async () => {
    const exported = await machine.run(`${settings}\nuser-management export --format jsonl - 2>/dev/null`);
    return exported.match(/(?<="userName":")\w+/g);
  };
  let key: string;
  const create = (name: string) =>
    machine.run(`node -e "
      fetch('http://127.0.0.1:3000/users', {
        method: 'POST',
        headers: { authorization: 'Basic ' + btoa('${key}'), 'content-type': 'application/json' },
        body: JSON.stringify({ userName: '${name}' }),
      }).then(({ status }) => process.exit(status === 201 ? 0 : 1))"`);

  before(async function () {
    const debian = neededDebian(this);
    needed(this, 'systemd-nspawn');
    const [install = '', files = '', start = ''] = blocksIn('docs/operate/install.md', 'sh');
    await machine.start(debian, install);
    await machine.run(files);
    await machine.run(
      "sed -i 's/^#USERS_API_KEYS_FILE/USERS_API_KEYS_FILE/' /etc/user-management/environment",
    );
    const made = `user-management api-key --id legacy-erp --scope 'users:read users:write'`;
    [key = ''] = (await machine.run(`${settings}\n${made}`)).split('\n');
    await machine.run(start);
  });
  after(() => machine.discard());

  it('is installed by the commands of its page, is active when it serves, and stops without an error', async () => {
    await create('ada');
    await machine.run('systemctl stop user-management');
    expect(await property('Result')).to.equal('success');
    expect(await property('ExecMainStatus')).to.equal('0');
    await machine.run('systemctl start user-management');
    expect(await names()).to.deep.equal(['ada']);
  });

  it('runs as a separate user, without capabilities, and can write only to its own folder', async () => {
    const process = await property('MainPID');
    const status = await machine.run(`cat /proc/${process}/status`);
    expect(status).not.to.match(/^Uid:\t0\t/m);
    expect(status)
      .to.match(/^CapEff:\t0+$/m)
      .and.match(/^NoNewPrivs:\t1$/m)
      .and.match(/^Seccomp:\t2$/m);
    const touch = (file: string) => machine.run(`nsenter --target ${process} --mount touch ${file}`);
    await touch('/var/lib/user-management/file');
    for (const folder of ['/etc', '/usr/local/lib', '/var/lib', '/root'])
      await touch(`${folder}/file`).then(
        () => expect.fail(`it can write to ${folder}`),
        ({ stderr }) => expect(stderr).to.match(/Read-only file system|No such file/),
      );
  });

  it('is restarted when it is killed, with every confirmed user', async () => {
    await create('grace');
    await machine.run('systemctl kill --signal KILL user-management');
    await until('it has been restarted', async () => {
      const now = await machine.run('systemctl show --property NRestarts,ActiveState user-management');
      return now.includes('NRestarts=1') && now.includes('ActiveState=active');
    });
    expect(await names()).to.deep.equal(['ada', 'grace']);
  });

  it('is backed up by its unit, which removes old backups, and starts with a backup that root restored', async () => {
    await machine.run(
      `mkdir /var/lib/private/user-management-backups
      touch --date '32 days ago' /var/lib/private/user-management-backups/users-old.db
      systemctl start user-management-backup.service`,
    );
    expect(await machine.run('ls /var/lib/user-management-backups/')).to.not.contain('users-old.db');
    await create('late');
    await machine.run(
      `${settings}
      systemctl stop user-management
      user-management restore /var/lib/user-management-backups/users-*.db
      systemctl start user-management`,
    );
    expect(await names()).to.deep.equal(['ada', 'grace']);
    expect(await machine.run('systemctl list-timers --no-legend')).to.contain('user-management-backup.timer');
  });

  it('is given up after five failed starts, with the reason of each in the journal', async () => {
    // A slow machine takes more than a minute for five starts.
    await machine.run(`
      mkdir --parents /run/systemd/system/user-management.service.d
      printf '[Unit]\\nStartLimitIntervalSec=1h\\n' > /run/systemd/system/user-management.service.d/slow.conf
      systemctl daemon-reload
      systemctl stop user-management
      systemctl reset-failed user-management
      head --bytes 8192 /dev/urandom > /var/lib/user-management/users.db
      systemctl start user-management || true`);
    await until('it has been given up', async () => (await property('ActiveState')) === 'failed');
    await until('the journal has the reason of each start', async () => {
      const journal = await machine.run('journalctl --unit user-management --no-pager');
      return journal.match(/The service did not start: .*SQLITE_NOTADB/g)?.length === 5;
    });
  });
});
