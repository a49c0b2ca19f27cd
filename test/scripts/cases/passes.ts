describe('A file that passes', () => {
  it('is counted', () => undefined);
  it('is counted, each test of it', () => undefined);
});
