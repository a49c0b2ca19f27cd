describe('A file that skips', () => {
  it('is pending on a machine without a tool', function () {
    this.skip();
  });
});
