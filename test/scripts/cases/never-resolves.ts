describe('A file that never resolves', () => {
  it('is named when it waits without end', () => new Promise(() => undefined));
  it('continues with the next test', () => undefined);
});
