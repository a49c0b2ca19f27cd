describe('A file whose process is ended by a signal', () => {
  it('is named when it is killed', () => process.kill(process.pid, 'SIGSEGV'));
});
