describe('A file that ends its process', () => {
  it('begins well', () => undefined);
  it('is named when it calls exit', () => {
    console.error('what it wrote last');
    process.exit(0);
  });
});
