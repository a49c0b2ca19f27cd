import { expect } from 'chai';
import { csv } from '../../../src/adapters/formats/csv/csv.ts';
import type { DayOrder, FileRow } from '../../../src/adapters/formats/port/file-format.ts';
import { describeMistake } from '../../../src/adapters/formats/port/mistakes.ts';
import { userKind } from '../../../src/domain/kinds/user/kind.ts';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../../src/domain/kinds.ts';
import { ReadInput } from '../../../src/domain/resource/build.ts';
import { DomainError } from '../../../src/domain/validation/errors.ts';
import { readFile } from '../../contract/file-format.ts';
import { naming } from '../../contract/format.ts';
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

  it('is an instant in both of two columns that have the same cells', async () => {
    const of = (columns: string) => valuesOf(`userName,${columns}\nada,31.3.2027\n`, { timeZone });
    const [validUntil, title] = ['2027-03-31T22:00:00.000Z', '2027-03-31'];
    expect(await of('validUntil+title')).to.deep.equal([{ userName: 'ada', validUntil, title }]);
    expect(await of('title+validUntil')).to.deep.equal([{ userName: 'ada', title, validUntil }]);
  });

  it('is in the time zone of the stored user, unless the row changes it', async () => {
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
    expect(
      await mistakesOf(
        'userName,validUntil,timezone\nada,31.03.27,\nbob,2027-02-30,\ncyd,2027-03-31,Europe/Atlantis\n',
      ),
    ).to.deep.equal([
      'row 2, cell B2 "validUntil": must be a day, such as 2027-03-31 or 31.03.2027, or a date and time with a zone, such as 2027-03-31T22:00:00Z',
      'row 3, cell B3 "validUntil": there is no such day',
      'row 4, cell B4 "validUntil": is a day in a time zone that does not exist',
    ]);
  });

  it('is read as spreadsheets write it, in the order that the days of its column have', async () => {
    const daysOf = async (days: readonly string[], dates?: DayOrder) => {
      const file = ['validUntil', ...days, ''].join('\n');
      const read = await valuesOf(file, { dates });
      return read.map((value) => String(Reflect.get(Object(value), 'validUntil')).slice(0, 10));
    };
    // The end of a day is the beginning of the next one.
    const [second, thirtieth] = ['2026-02-02', '2026-12-31'];
    expect(await daysOf(['30.12.2026', '1.2.2026'])).to.deep.equal([thirtieth, second]);
    expect(await daysOf(['1.2.2026'])).to.deep.equal([second]);
    expect(await daysOf(['01/02/2026', '30/12/2026'])).to.deep.equal([second, thirtieth]);
    expect(await daysOf(['2/1/2026', '12/30/2026 0:00'])).to.deep.equal([second, thirtieth]);
    expect(await daysOf(['2.1.2026', '12.30.2026'])).to.deep.equal([second, thirtieth]);
    expect(await daysOf(['1-2-2026'], 'day-first')).to.deep.equal([second]);
    expect(await daysOf(['2/1/2026'], 'month-first')).to.deep.equal([second]);
    expect(await daysOf(['1/2/2026', '30/12/2026'], 'month-first')).to.deep.equal([second, thirtieth]);
    expect(await daysOf(['2026/2/1', '2/2/2026', '2026-02-01'])).to.deep.equal([
      second,
      '2026-02-03',
      second,
    ]);
  });

  it('is refused if it has two readings, and no other day of the column tells which is right', async () => {
    const doubt = 'may begin with its day or its month: --dates day-first or --dates month-first says which';
    const said = async (days: readonly string[], dates?: DayOrder) => {
      const file = ['userName;validUntil', ...days.map((day, at) => `u${at};${day}`), ''].join('\n');
      return (await mistakesOf(file, { dates })).map((mistake) => mistake.replace(/^.*?": /, ''));
    };
    expect(await said(['1/2/2026', '3/3/2026'])).to.deep.equal([doubt, '']);
    expect(await said(['1/2/2026', '1.2.2026'])).to.deep.equal([doubt, doubt]);
    expect(await said(['1/2/2026', '31/12/2026', '12/31/2026'])).to.deep.equal([doubt, '', '']);
    expect(await said(['31.02.2026', '2/31/2026', '13.13.2026'])).to.deep.equal(
      Array(3).fill('there is no such day'),
    );
    const rows = Array.from({ length: 300 }, () => '31/12/2026');
    expect((await said([...rows, '1/2/2026', '12/31/2026'])).slice(-2)).to.deep.equal([
      '',
      'there is no such day with the day first, as chosen or in other rows',
    ]);
  });

  it('may be one of several in a cell, for a declared attribute', async () => {
    const days = { type: 'date', list: true } as const;
    const { shown } = kindsOf({ attributes: { days }, undeclared: 'refuse' }).of('user');
    const declared = csv.codec<User>(shown, naming);
    const file = 'userName,days\nada,31.12.2026 | 1.2.2026\nbob,2026-01-01|31.02.2026\n';
    const { rows } = await readFile(declared, file);
    expect(rows[0]?.value).to.deep.equal({
      userName: 'ada',
      attributes: { days: ['2026-12-31', '2026-02-01'] },
    });
    const violation = { pointer: '/attributes/days/1', detail: 'must be a date such as 2026-01-31' };
    expect(describeMistake(rows[1] as FileRow, violation)).to.equal(
      'row 3, cell B3 "days", value 2: there is no such day',
    );
  });

  it('says in which order the days of a column are', async () => {
    const file = 'userName,Valid until,validFrom\nada,31/12/2026,2026-01-01\n';
    const { header } = await readFile(codec, file);
    expect([...(header?.table?.dates ?? [])]).to.deep.equal([['Valid until', 'day-first']]);
  });

  /** For each row, empty for one that is well. */
  async function mistakesOf(
    file: string,
    options: Parameters<typeof readFile>[2] = {},
  ): Promise<readonly string[]> {
    const { rows } = await readFile(codec, file, options);
    return rows.map((row) => {
      const { value, violations } = row;
      try {
        userKind.builder.readInput(new ReadInput({ value, violations }), undefined);
        return '';
      } catch (error) {
        const found = error instanceof DomainError ? error.violations : [];
        return found.map((violation) => describeMistake(row, violation)).join();
      }
    });
  }
});
