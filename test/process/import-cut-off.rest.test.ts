import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, launch, run } from '../support/process.ts';
import { heldBack, itsEndIsFound } from './cut-files.ts';
import { usersIn } from './directories.ts';

describe('A file of users that was cut off', () => {
  afterEach(discardProcesses);

  it('makes the command exit with 1, and the imported users are counted and stay', async () => {
    const header = 'userName,title\n';
    const many = Array.from({ length: 5000 }, (_, one) => `user${one},x\n`).join('');
    const own = aDataFolder();
    writeFileSync(join(own, 'users.csv'), `${header}${many}last,Admir`);
    const cut = await run(['import', 'users.csv'], own);
    expect([cut.code, cut.log, cut.told.at(-1)]).to.deep.equal([
      1,
      ['5000 created, 0 changed, 0 unchanged, 0 refused'],
      `Not finished: users.csv: row 5002, cell A5002: ${heldBack}`,
    ]);
    expect(usersIn(own)).to.have.length(5000);
    const whole = await run(['import', 'users.csv', '--last-line'], own);
    expect([whole.code, whole.log]).to.deep.equal([0, ['1 created, 0 changed, 5000 unchanged, 0 refused']]);

    const packed = gzipSync(`${header}${many}`);
    for (const length of [packed.length - 8, packed.length - 1, packed.length >> 1]) {
      const { child, ended } = launch(
        ['import', '-', '--format', 'csv', '--json'],
        aDataFolder(),
        {},
        { stdin: 'pipe' },
      );
      child.stdin?.end(packed.subarray(0, length));
      const { code, log, told } = await ended;
      expect(code).to.equal(1);
      const { created } = JSON.parse(log[0] ?? '');
      expect(created).to.be.within(length < packed.length - 8 ? 2000 : 5000, 5000);
      expect(told.at(-1)).to.match(
        new RegExp(
          `^Not finished: standard input: row ${created + 2}, cell [AB]${created + 2}: the gzip is cut off$`,
        ),
      );
    }
  });
});

describe('A file of users that was cut off at any byte', () => {
  itsEndIsFound();
});
