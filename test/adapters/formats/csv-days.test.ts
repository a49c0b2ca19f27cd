import { expect } from 'chai';
import { describeMistake } from '../../../src/adapters/formats/port/mistakes.ts';
import { userKind } from '../../../src/domain/kinds/user/kind.ts';
import { ReadInput } from '../../../src/domain/resource/build.ts';
import { DomainError } from '../../../src/domain/validation/errors.ts';
import { readFile } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';
import { codec, valuesOf } from './csv-table.ts';

describe('A day in a table of users in CSV', () => {
  const timeZone = 'Europe/Berlin';

  it('is its beginning in validFrom and its end in validUntil, in the time zone of the row or of the options', async () => {
    const file =
      'validUntil,userName,validFrom,timezone\n2027-03-31,ada,2027-01-01,\n2027-03-31,bob,,America/New_York\n';
    expect(await valuesOf(file, { timeZone })).to.deep.equal([
      { userName: 'ada', validFrom: '2026-12-31T23:00:00.000Z', validUntil: '2027-03-31T22:00:00.000Z' },
      { userName: 'bob', timezone: 'America/New_York', validUntil: '2027-04-01T04:00:00.000Z' },
    ]);
    expect(await valuesOf('userName,Valid until\nada,2027-03-31\n')).to.deep.equal([
      { userName: 'ada', validUntil: '2027-04-01T00:00:00.000Z' },
    ]);
  });

  it('is one in the time zone of the stored user, unless the row changes it', async () => {
    const there = aUser({ timezone: 'Asia/Tokyo' });
    const editOf = async (file: string, emptyRemoves = false): Promise<unknown> => {
      const { rows } = await readFile(codec, file, { timeZone, emptyRemoves });
      return Reflect.get(Object(rows[0]?.edit?.(structuredClone(there))), 'validUntil');
    };
    expect(await editOf('validUntil\n2027-03-31\n')).to.equal('2027-03-31T15:00:00.000Z');
    expect(await editOf('validUntil,timezone\n2027-03-31,UTC\n')).to.equal('2027-04-01T00:00:00.000Z');
    expect(await editOf('validUntil,timezone\n2027-03-31,""\n', true)).to.equal('2027-03-31T22:00:00.000Z');
  });

  it('leaves instants unchanged, and is refused in another form or in an unknown time zone', async () => {
    const instant = '2027-03-31T12:00:00+02:00';
    expect(await valuesOf(`userName,validUntil\nada,${instant}\n`)).to.deep.equal([
      { userName: 'ada', validUntil: instant },
    ]);
    const file =
      'userName,validUntil,timezone\nada,31.03.2027,\nbob,2027-02-30,\ncyd,2027-03-31,Europe/Atlantis\n';
    const { rows } = await readFile(codec, file);
    const refused = rows.map((row) => {
      const { value, violations } = row;
      try {
        userKind.builder.readInput(new ReadInput({ value, violations }), undefined);
        return '';
      } catch (error) {
        const found = error instanceof DomainError ? error.violations : [];
        return found.map((violation) => describeMistake(row, violation)).join();
      }
    });
    const must =
      'must be a day, such as 2027-03-31, if the time zone of the row exists, or a date and time with a zone, such as 2027-03-31T22:00:00Z';
    for (const [at, mistake] of refused.entries()) expect(mistake, String(at)).to.include(must);
    expect(refused).to.have.length(3);
  });
});
