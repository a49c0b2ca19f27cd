describe('A file whose process a signal ends', () => {
  it('is named when it aborts', () => process.kill(process.pid, 'SIGSEGV'));
});
