import { expect } from 'chai';
import fc from 'fast-check';
import { dayOfInstant, instantOfDay, isTimeZone } from '../../src/domain/resource/days.ts';
import { runs } from '../support/runs.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
];

/** Days whose instants are known: the day, its end that is meant, the zone, and the instant. */
const known = [
  ['2027-03-31', 'start', 'UTC', '2027-03-31T00:00:00.000Z'],
  ['2027-03-31', 'end', 'UTC', '2027-04-01T00:00:00.000Z'],
  ['2027-01-01', 'start', 'Europe/Berlin', '2026-12-31T23:00:00.000Z'],
  ['2027-03-28', 'end', 'Europe/Berlin', '2027-03-28T22:00:00.000Z'],
  ['2018-11-04', 'start', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['9999-12-31', 'end', 'America/New_York', '9999-12-31T23:59:59.999Z'],
] as const;

describe('A day in a time zone', () => {
  for (const [day, end, zone, instant] of known)
    it(`has the ${end} of ${day} in ${zone} at ${instant}`, () => {
      expect(instantOfDay(day, end, zone)).to.equal(instant);
      expect(dayOfInstant(instant, end, zone)).to.equal(day);
    });

  it('ends when the next one begins, at an instant that belongs to it alone', () => {
    const anyDay = fc.date({ min: new Date('1970-01-02'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(anyDay, fc.constantFrom(...zones), (date, zone) => {
        const [day, next] = [0, 1].map((more) => {
          const at = new Date(date.getTime() + more * 86_400_000);
          return at.toISOString().slice(0, 10);
        }) as [string, string];
        const end = instantOfDay(day, 'end', zone) ?? expect.fail(day);
        expect(instantOfDay(next, 'start', zone)).to.equal(end);
        expect(dayOfInstant(end, 'end', zone)).to.equal(day);
        expect(dayOfInstant(end, 'start', zone)).to.equal(next);
        const between = new Date(Date.parse(end) + 1).toISOString();
        expect(dayOfInstant(between, 'start', zone)).to.equal(undefined);
      }),
      { numRuns: runs(300) },
    );
  });

  it('must have the right form, exist in the calendar, and be in a known zone', () => {
    for (const text of [
      '2027-02-30',
      '2027-13-01',
      '0027-01-01',
      '31.03.2027',
      '2027-3-1',
      '2027-03-31 ',
      '',
    ])
      expect(instantOfDay(text, 'start', 'UTC'), text).to.equal(undefined);
    expect(instantOfDay('2027-03-31', 'start', 'Europe/Atlantis')).to.equal(undefined);
    expect(['Europe/Berlin', 'Europe/Atlantis', ''].map(isTimeZone)).to.deep.equal([true, false, false]);
  });
});
