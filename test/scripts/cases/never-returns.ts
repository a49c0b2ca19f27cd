describe('A file that never returns', () => {
  it('is named when it blocks its process', () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
});
