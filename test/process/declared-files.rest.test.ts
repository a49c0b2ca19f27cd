import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Declarations } from '../../src/domain/kinds/attributes/declaration.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser } from '../support/a-user.ts';
import { declarations } from '../support/declared.ts';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';

const ada = {
  badge: 42,
  hired: '2024-02-29',
  costCentre: 'NL12',
  remote: true,
  sites: ['Oslo, Sentrum', 'Bergen|Nord'],
  rate: 1.5,
  seen: '2026-01-02T03:04:05.000Z',
  scores: [3, -1],
  floor: '2',
};
const bob = { badge: 7, remote: false, sites: ['Oslo'], level: 'senior' };

interface Shown {
  readonly userName: string;
  readonly attributes: object;
}

/** Without their places, which another log has elsewhere. */
const entriesIn = (file: string): readonly object[] =>
  file
    .trim()
    .split('\n')
    .map((line) => {
      const { cursor: _, ...entry } = JSON.parse(line);
      return entry;
    });

describe('Files of users with declared attributes', () => {
  let folder = '';
  beforeEach(async () => {
    folder = aDataFolder();
    const users = [aUser({ userName: 'ada' }), aUser({ userName: 'bob' })];
    const typed = users.map((user, at) => ({ ...user, attributes: [ada, bob][at] }));
    writeFileSync(join(folder, 'first.json'), JSON.stringify({ users: typed }));
    expect(await imported('first.json')).to.deep.equal([0, '2 created, 0 changed, 0 unchanged, 0 refused']);
  });
  after(discardProcesses);

  const perform = (args: readonly string[], store = 'users.db', declared: Declarations = declarations) => {
    writeFileSync(join(folder, 'attributes.json5'), JSON.stringify(declared));
    return run(args, folder, { USERS_ATTRIBUTES_FILE: 'attributes.json5', USERS_SQLITE_FILE: store });
  };
  const imported = async (file: string, store?: string, ...more: readonly string[]) => {
    const { code, log, told } = await perform(['import', file, ...more], store);
    return [code, log[0] ?? told.at(-1)];
  };
  const exported = async (file: string, store?: string, ...more: readonly string[]): Promise<string> => {
    const { code, told } = await perform(['export', file, '--force', ...more], store);
    expect(code, told.join('\n')).to.equal(0);
    return readFileSync(join(folder, file), 'utf8');
  };
  const shown = async (store?: string): Promise<readonly Shown[]> =>
    (await exported('shown.jsonl', store, '--where', 'sort=userName'))
      .trim()
      .split('\n')
      .map((line) => {
        const { meta: _, ...user } = JSON.parse(line);
        return user;
      });

  it('have the memberships of groups that a declared attribute selects', async () => {
    const declared = { ...declarations, groups: { number: { type: 'integer', filter: true } } } as const;
    const groups = ['One', 'Two'].map((displayName, at) => ({ displayName, attributes: { number: at + 1 } }));
    writeFileSync(join(folder, 'groups.json'), JSON.stringify({ groups }));
    writeFileSync(join(folder, 'memberships.csv'), 'group,user\nOne,ada\nTwo,bob\n');
    const ofMemberships = ['--kind', 'memberships'];
    const where = ['--by', 'name', '--where', 'attributes.number=2'];
    for (const args of [
      ['import', 'first.json'],
      ['import', 'groups.json', '--kind', 'groups'],
      ['import', 'memberships.csv', ...ofMemberships],
      ['export', 'second.jsonl', ...ofMemberships, ...where],
    ]) {
      const { code, told } = await perform(args, 'groups.db', declared);
      expect(code, told.join('\n')).to.equal(0);
    }
    expect(readFileSync(join(folder, 'second.jsonl'), 'utf8')).to.equal('{"group":"Two","user":"bob"}\n');
  });

  for (const format of ['jsonl', 'json', 'xml', 'csv'])
    it(`in ${format} give an empty store the same users, with their types`, async () => {
      const before = await shown();
      expect(before.map(({ attributes }) => attributes)).to.deep.equal([ada, bob]);
      await exported(`users.${format}`);
      expect(await imported(`users.${format}`, 'other.db')).to.deep.equal([
        ...[0, '2 created, 0 changed, 0 unchanged, 0 refused'],
      ]);
      expect(await shown('other.db')).to.deep.equal(before);
      expect(await imported(`users.${format}`)).to.deep.equal([
        ...[0, '0 created, 0 changed, 2 unchanged, 0 refused'],
      ]);
    });

  it('are exported by ranges, and with labels as headings, which the import knows', async () => {
    const text = await exported('some.csv', undefined, '--where', 'attributes.badge.from=8');
    expect(text).to.include('ada').and.not.include('bob');
    const columns = [
      '--where',
      'sort=userName',
      '--columns',
      'userName,Ausweis,HIRED,attributes.sites,attributes.floor',
    ];
    expect((await exported('people.csv', undefined, ...columns)).split('\r\n').slice(0, 2)).to.deep.equal([
      'userName,Ausweis,HIRED,attributes.sites,attributes.floor',
      'ada,42,2024-02-29,"Oslo\\, Sentrum|Bergen\\|Nord",2',
    ]);
    expect(await imported('people.csv', undefined, '--mode', 'update', '--match', 'userName')).to.deep.equal([
      ...[0, '0 created, 0 changed, 2 unchanged, 0 refused'],
    ]);
    expect(await exported('template.csv', undefined, '--template')).to.include(
      Object.keys(declarations.attributes)
        .map((name) => `attributes.${name}`)
        .join(','),
    );
  });

  it('say which cell is wrong, and take words and days as for built-in fields', async () => {
    writeFileSync(
      join(folder, 'hr.csv'),
      'User name;Badge;remote;seen;sites;scores\r\nada;x;;;;\r\nbob;;vielleicht;;a, b;1|z\r\ncy;008;ja;2026-03-01;a|b;\r\n',
    );
    const wishes = ['--mode', 'upsert', '--match', 'userName'];
    const { code, told } = await perform(['import', 'hr.csv', ...wishes]);
    expect(code).to.equal(2);
    for (const [at, place] of [
      'row 2, cell B2 "Badge": must be a whole number',
      'row 3, cell C3 "remote": must be true or false, such as yes/no',
      'row 3, cell E3 "sites": must be a list, with | between its values',
      'row 3, cell F3 "scores", value 2: must be a whole number',
    ].entries())
      expect(told[at]).to.include(place);
    const cy = (await shown()).find(({ userName }) => userName === 'cy');
    expect(cy?.attributes).to.deep.equal({
      ...{ badge: 8, remote: true, seen: '2026-03-01T00:00:00.000Z', sites: ['a', 'b'] },
    });
  });

  it('are refused by a dry run exactly as by the import', async () => {
    writeFileSync(
      join(folder, 'new.csv'),
      'User name;Badge;costCentre\r\ncy;42;NL1\r\ndi;43;NL1\r\ned;43;NL1\r\nflo;44;nl1\r\n',
    );
    const told = async (...more: readonly string[]) => {
      const { log, told: lines } = await perform(['import', 'new.csv', ...more]);
      return [log[0]?.replace(/^nothing was changed; would be: /, ''), ...lines];
    };
    const tried = await told('--dry-run');
    expect(tried[0]).to.equal('1 created, 0 changed, 0 unchanged, 3 refused');
    expect(await told()).to.deep.equal(tried);
  });

  it('name users in tables by user name or by id, also users of an earlier row', async () => {
    const [one] = await shown();
    const { id } = one as unknown as { readonly id: string };
    writeFileSync(
      join(folder, 'staff.csv'),
      [
        'User name;Manager;@attributes.mentor',
        'cy;ADA;bob',
        `di;${id};cy`,
        'ed;nobody;',
        'flo;guy;',
        'guy;ada;nobody',
        'bob;cy;',
        '',
      ].join('\r\n'),
    );
    const wishes = ['staff.csv', '--mode', 'upsert', '--match', 'userName'];
    const tried = await perform(['import', ...wishes, '--dry-run']);
    expect(tried.log[0]).to.include('2 created, 1 changed, 0 unchanged, 3 refused');
    const { log, told } = await perform(['import', ...wishes]);
    expect(log[0]).to.equal('2 created, 1 changed, 0 unchanged, 3 refused');
    expect(told).to.include.members([
      'row 4, cell B4 "Manager": no user has this user name',
      'row 5, cell B5 "Manager": no user has this user name',
      'row 6, cell C6 "@attributes.mentor": no user has this user name',
    ]);
    const users = (await shown()) as unknown as readonly User[];
    const idOf = (name: string) => users.find(({ userName }) => userName === name)?.id;
    expect(
      users.map(({ userName, enterprise, attributes }) => [
        ...[userName, enterprise?.manager?.value, attributes?.mentor],
      ]),
    ).to.deep.equal([
      ['ada', undefined, undefined],
      ['bob', idOf('cy'), undefined],
      ['cy', id, idOf('bob')],
      ['di', id, idOf('cy')],
    ]);
  });

  for (const format of ['csv', 'xml'])
    it(`leave a history with types, which a file in ${format} moves to another store`, async () => {
      writeFileSync(join(folder, 'next.csv'), 'User name,Badge,sites,attributes.floor\nada,43,Bergen,3\n');
      expect(await imported('next.csv', undefined, '--mode', 'upsert', '--match', 'userName')).to.deep.equal([
        ...[0, '0 created, 1 changed, 0 unchanged, 0 refused'],
      ]);
      const changes = ['--kind', 'changes'];
      const before = await exported('before.jsonl', undefined, ...changes);
      expect(JSON.parse(before.split('\n')[0] ?? '').after.attributes).to.deep.equal({
        ...{ badge: 43, sites: ['Bergen'], floor: '3' },
      });
      await exported(`changes.${format}`, undefined, ...changes);
      expect(await imported(`changes.${format}`, 'other.db', ...changes)).to.deep.equal([
        ...[0, '3 changes are imported'],
      ]);
      expect(entriesIn(await exported('after.jsonl', 'other.db', ...changes))).to.deep.equal(
        entriesIn(before),
      );
    });

  for (const format of ['jsonl', 'xml', 'csv'])
    it(`in ${format} move groups, with attributes of their own, and their history`, async () => {
      const both: Declarations = {
        ...declarations,
        groups: { badge: { type: 'string', list: true, filter: true }, number: { type: 'integer' } },
      };
      const move = async (kind: string): Promise<readonly [string, string]> => {
        const files: string[] = [];
        const act = async (args: readonly string[], store?: string) => {
          const { code, told } = await perform([...args, '--kind', kind], store, both);
          expect(code, told.join('\n')).to.equal(0);
        };
        await act(['export', `moved.${format}`, '--force']);
        await act(['import', `moved.${format}`], 'other.db');
        for (const store of ['users.db', 'other.db']) {
          await act(['export', 'shown.jsonl', '--force'], store);
          files.push(readFileSync(join(folder, 'shown.jsonl'), 'utf8'));
        }
        return files as unknown as readonly [string, string];
      };
      const attributes = { badge: ['7', 'x'], number: 3, floor: '2' };
      writeFileSync(
        join(folder, 'groups.json'),
        JSON.stringify({ groups: [{ displayName: 'A', attributes }] }),
      );
      expect((await perform(['import', 'groups.json', '--kind', 'groups'], undefined, both)).code).to.equal(
        0,
      );
      const [before, after] = (await move('changes')).map(entriesIn);
      expect(after).to.deep.equal(before);
      expect(before?.[0]).to.have.nested.property('after.attributes.number', 3);
      rmSync(join(folder, 'other.db'));
      const [groups, moved] = await move('groups');
      for (const shownGroup of [groups, moved])
        expect(JSON.parse(shownGroup)).to.deep.include({ displayName: 'A', attributes });
    });

  it('leave a history that can be imported after an attribute became stricter or got another type', async () => {
    const exportedChanges = await exported('changes.jsonl', undefined, '--kind', 'changes');
    const stricter: Declarations = {
      undeclared: 'refuse',
      attributes: { badge: { type: 'integer', maximum: 10 }, floor: { type: 'integer' } },
    };
    const { code, log } = await perform(
      ['import', 'changes.jsonl', '--kind', 'changes'],
      'other.db',
      stricter,
    );
    expect([code, log]).to.deep.equal([0, ['2 changes are imported']]);
    writeFileSync(join(folder, 'odd.jsonl'), exportedChanges.replaceAll('"floor"', '"1 floor"'));
    expect((await imported('odd.jsonl', 'third.db', '--kind', 'changes'))[1]).to.include(
      'is not an exported change',
    );
  });
});
