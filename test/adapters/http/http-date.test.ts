import { expect } from 'chai';
import fc from 'fast-check';
import { formatDate, parseDate } from '../../../src/adapters/http/headers/http-date.ts';

describe('HTTP-dates', () => {
  const whole = fc
    .date({
      min: new Date('1000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    })
    .map((date) => Math.floor(date.getTime() / 1000) * 1000);

  it('are written as the platform writes them, for every second of nine thousand years', () => {
    fc.assert(
      fc.property(whole, (ms) => {
        expect(formatDate(ms)).to.equal(new Date(ms).toUTCString());
      }),
    );
  });

  it('are read as they were written', () => {
    fc.assert(
      fc.property(whole, (ms) => {
        expect(parseDate(formatDate(ms))).to.equal(ms);
      }),
    );
  });
});
