import { describeWhere, missing } from '../../support/left-out.ts';

describe('A file that skips', () => {
  it('is pending where it makes no sense', function () {
    this.skip();
  });
  it('is left out on a machine without a tool', function () {
    missing(this, 'tool A');
  });
});

describe('A suite without its tool', () => {
  before(function () {
    missing(this, 'tool A');
  });
  it('is left out', () => undefined);
  it('is left out with each test', () => undefined);
});

describeWhere(false, 'tool B')('A suite that asks first', () => {
  it('is left out', () => undefined);
});
