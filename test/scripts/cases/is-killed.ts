describe('A file whose process a signal ends', () => {
  it('is named when it is killed', () => process.kill(process.pid, 'SIGSEGV'));
});
