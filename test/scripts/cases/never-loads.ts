await new Promise(() => undefined);

describe('A file that never loads', () => {
  it('is never reached', () => undefined);
});
