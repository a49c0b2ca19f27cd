import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { assertUrl, describeAddressFault } from '../../../src/adapters/webhooks/addresses.ts';
import { parseReceivers } from '../../../src/adapters/webhooks/receivers.ts';
import { watchReceivers } from '../../../src/config/receivers.ts';
import { loadSettings } from '../../../src/config/settings.ts';
import { changeTypesOf } from '../../../src/domain/changes/change.ts';
import { kindsOf } from '../../../src/domain/kinds.ts';
import { runs } from '../../support/runs.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(64, 9).toString('base64')}`;
const types = changeTypesOf(kindsOf().all);
const assertProfile = (name: string): void => {
  if (name !== 'sales') throw new Error(`there is no profile ${name}`);
};

describe('The file of receivers', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'receivers-'));
    file = join(folder, 'webhooks.json5');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const parse = (...receivers: readonly unknown[]) =>
    parseReceivers(JSON.stringify({ receivers }), { file, types, assertProfile });
  const faultsOf = (...receivers: readonly unknown[]): readonly string[] => {
    try {
      parse(...receivers);
    } catch (error) {
      return (error as Error).message.split('\n');
    }
    return [];
  };
  const receiver = (members: object = {}) => ({
    id: 'payroll',
    url: 'https://payroll.example/hook',
    secrets: [secret],
    ...members,
  });

  it('may have comments, and needs an id, a URL and a secret of each receiver', () => {
    const text = `// ours\n{receivers: [{id: 'payroll', url: 'https://payroll.example/hook', secrets: ['${secret}'],}]}`;
    const [read] = parseReceivers(text, { file, types, assertProfile });
    expect(read).to.include({ mark: hash('sha256', text, 'base64url') });
    expect([{ ...read, mark: '' }]).to.deep.equal([
      {
        ...{ id: 'payroll', url: 'https://payroll.example/hook', secrets: [Buffer.alloc(24, 7)] },
        ...{ types: undefined, filter: undefined, notBy: undefined, format: 'json', content: 'thin' },
        ...{ headers: {}, timeout: 15_000, concurrency: 4, start: 'now', mark: '' },
      },
    ]);
  });

  it('takes secrets and values of headers from files, whose paths are relative to its own folder', () => {
    writeFileSync(join(folder, 'payroll.secret'), `${other}\n`);
    writeFileSync(join(folder, 'gateway'), 'let me in');
    const [read] = parse(
      receiver({
        secrets: [secret, { file: 'payroll.secret' }],
        headers: { 'X-Gateway': { file: join(folder, 'gateway') }, 'X-Stage': 'test' },
      }),
    );
    expect(read?.secrets).to.deep.equal([Buffer.alloc(24, 7), Buffer.alloc(64, 9)]);
    expect(read?.headers).to.deep.equal({ 'X-Gateway': 'let me in', 'X-Stage': 'test' });
  });

  it('is refused with all of its mistakes, each with its place and what may have been meant, and without any secret', () => {
    const faults = faultsOf(
      receiver({ types: ['user.update'], secrests: [secret], timeout: 31, profile: 'sale' }),
      receiver({ url: 'http://payroll.example@10.0.0.1/', concurrency: 17, format: 'yaml' }),
      { id: 'Wages', url: 'http://8.8.8.8/', secrets: ['whsec_c2hvcnQ=', { file: 'absent' }, secret] },
      receiver({
        id: 'hr',
        headers: { Host: 'a', 'X-A': 'a\nb', 'a b': '' },
        filter: ['sales'],
        secrets: [{}],
      }),
    );
    expect(faults).to.have.members([
      'receivers.payroll.profile: there is no profile sale',
      'receivers.payroll.types.0: must be one of user.created, user.updated, user.deleted, user.restored, group.created, group.updated, group.deleted, group.restored, group.members-changed (perhaps user.updated)',
      'receivers.payroll.secrests: must not stand here (perhaps secrets)',
      'receivers.payroll.timeout: must be at most 30',
      'receivers.1.id: another receiver has it',
      'receivers.1.concurrency: must be at most 16',
      'receivers.1.format: must be one of json, xml',
      'receivers.1.url: must be an https URL, or http on this machine or a private network, without userinfo and fragment',
      'receivers.Wages.id: must be up to 64 of a-z, 0-9 and -',
      'receivers.Wages.url: 8.8.8.8 is neither loopback nor private: use https',
      'receivers.Wages.secrets: must have at most 2 items',
      'receivers.Wages.secrets.0: must be whsec_ and base64 of 24 to 64 bytes (webhook secret makes one)',
      `receivers.Wages.secrets.1: absent: ENOENT: no such file or directory, open '${join(folder, 'absent')}'`,
      'receivers.hr.headers.Host: is a header that the service sets',
      'receivers.hr.headers.X-A: must have up to 4096 printable ASCII characters',
      'receivers.hr.headers.a b: is not the name of a header',
      'receivers.hr.filter.0: must be the id of a group',
      'receivers.hr.secrets.0: must be a text, or {file: "…"}',
    ]);
  });

  it('is read, or refused with a line for each mistake, whatever it has', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, two) => {
        for (const faults of [
          faultsOf(one, receiver({ secrets: two })),
          faultsOf(receiver({ headers: two })),
        ])
          for (const line of faults) expect(line).to.match(/^receivers[.:]/);
      }),
      { numRuns: runs(200) },
    );
  });

  it('is read again when it changes, and stays in use while it is damaged', async () => {
    const problems: string[] = [];
    const write = (text: string) => writeFileSync(file, text, { mode: 0o600 });
    write(JSON.stringify({ receivers: [receiver()] }));
    const settings = await loadSettings({ USERS_WEBHOOKS_FILE: file });
    const watched = watchReceivers(settings, (problem) => problems.push(problem));
    const idsOf = () => watched?.current()?.map(({ id }) => id);
    try {
      expect(idsOf()).to.deep.equal(['payroll']);
      write(JSON.stringify({ receivers: [receiver({ id: 'hr' })] }));
      expect(idsOf()).to.deep.equal(['hr']);
      write('{');
      expect(idsOf()).to.deep.equal(['hr']);
      expect(problems).to.have.lengthOf(1);
    } finally {
      watched?.close();
    }
  });

  it('is read again when it is touched after a secret beside it was changed, and differs then', async () => {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 });
    write('payroll.secret', secret);
    write(
      'webhooks.json5',
      JSON.stringify({ receivers: [receiver({ secrets: [{ file: 'payroll.secret' }] })] }),
    );
    const long = new Date(Date.now() - 60_000);
    utimesSync(file, long, long);
    const settings = await loadSettings({ USERS_WEBHOOKS_FILE: file });
    const watched = watchReceivers(settings, () => undefined);
    try {
      const [before] = watched?.current() ?? [];
      write('payroll.secret', other);
      const now = new Date();
      utimesSync(file, now, now);
      const [after] = watched?.current() ?? [];
      expect(after?.secrets[0]).to.deep.equal(Buffer.alloc(64, 9));
      expect(after?.mark).not.to.equal(before?.mark);
    } finally {
      watched?.close();
    }
  });

  it('is refused while users other than its owner may read it', async () => {
    writeFileSync(file, '{receivers: []}', { mode: 0o644 });
    const settings = await loadSettings({ USERS_WEBHOOKS_FILE: file });
    expect(() => watchReceivers(settings, expect.fail)).to.throw(/USERS_WEBHOOKS_FILE.*run chmod 600 on it/);
  });

  it('needs the change log', async () => {
    const refusal = await loadSettings({ USERS_WEBHOOKS_FILE: file, USERS_CHANGES_RETENTION: '0' }).catch(
      String,
    );
    expect(refusal).to.match(/USERS_WEBHOOKS_FILE\): needs the change log/);
  });
});

describe('The URL of a receiver', () => {
  for (const url of [
    'https://hooks.example/a?b=c',
    'https://10.0.0.1/',
    'http://127.0.0.1:8080/hook',
    'http://[::1]:8080/hook',
    'http://[fd12::1]/',
    'http://receiver.internal/hook',
    'http://192.168.7.7',
  ])
    it(`may be ${url}`, () => assertUrl(url));

  for (const url of [
    'http://8.8.8.8/',
    'http://2130706433.example@8.8.8.8/',
    'http://134744072/',
    'https://user@hooks.example/',
    'https://@hooks.example/',
    'https://hooks.example/#a',
    'https://hooks.example/a b',
    'https:hooks.example',
    'https://hooks.example\\@other.example/',
    'ftp://hooks.example/',
    'https://hooks.example:0/',
    'http://169.254.169.254/latest/meta-data',
    'https://169.254.169.254/',
    'https://[fd00:ec2::254]/',
    'http://[::ffff:169.254.169.254]/',
    'http://0.0.0.0/',
    'http://[::ffff:8.8.8.8]/',
    'hooks.example',
    '',
  ])
    it(`is not ${url || 'empty'}`, () => expect(() => assertUrl(url)).to.throw());

  it('may lead to nearby addresses without TLS, and never to a metadata service', () => {
    expect(describeAddressFault('http:', '93.184.216.34')).to.match(/use https/);
    expect(describeAddressFault('http:', '10.1.2.3')).to.equal(undefined);
    expect(describeAddressFault('https:', '93.184.216.34')).to.equal(undefined);
    expect(describeAddressFault('https:', '169.254.169.254')).to.be.a('string');
  });
});
