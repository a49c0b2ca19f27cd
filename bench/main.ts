/** `npm run bench -- [NAME] [options]`: runs a benchmark; each file explains its own options. Without a name: `compare`. */
const names = [
  'compare',
  'changes',
  'console',
  'files',
  'groups',
  'hostile',
  'import',
  'mongodb',
  'moved-groups',
  'profile',
  'scale-mongodb',
  'scale-sqlite',
  'soak',
  'validity',
];

const [given = ''] = process.argv.slice(2);
const isNamed = given !== '' && !given.startsWith('-');
if (isNamed && !names.includes(given)) {
  console.error(`There is no benchmark ${given}. Choose one of: ${names.join(', ')}`);
  process.exit(64);
}
// The benchmarks read their options from the command line.
if (isNamed) process.argv.splice(2, 1);
await import(`./${isNamed ? given : 'compare'}.ts`);
