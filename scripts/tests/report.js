/** The output of `npm test`, and the totals that it writes to a file. */

/** A run with more unstable files fails. */
const mostUnstable = 3;
/** The printed failures of one file: a failed hook fails all of its tests. */
const mostPrinted = 10;

const indent = (text, by) => text.replace(/^(?=.)/gm, ' '.repeat(by));
const named = ({ title, text, context }) =>
  `${indent(title.join(' > '), 4)}\n${indent(text, 6)}\n${context ? `\n${indent(context, 6)}\n` : ''}`;
const write = (text) => process.stdout.write(text);

/** Prints every test, like mocha's spec reporter. */
export function spec() {
  const marks = { suite: '', pass: '✔ ', pending: '- ', fail: '✘ ' };
  return ({ event, piece, title, failure }) => {
    if (event === 'output') return write(piece);
    const path = title ?? failure?.title ?? [];
    if (event in marks && path.length > 0)
      write(`${'  '.repeat(path.length)}${marks[event]}${path.at(-1)}\n`);
  };
}

/** A dot for each file, and a line for each that fails. */
export const dots = () => {
  let files = 0;
  return ({ event, result }) => {
    if (event !== 'file') return;
    files += 1;
    const { file, failures } = result;
    write(failures.length === 0 ? '.' : `\n✘ ${file}: ${failures[0].title.join(' > ')}\n`);
    if (files % 100 === 0) write(` ${files}\n`);
  };
};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** @returns the totals of the run; the files that failed at first and then passed are `unstable` */
export function totalsOf(results) {
  const failed = results.filter(({ failures }) => failures.length > 0);
  const unstable = results.filter(({ first, failures }) => first !== undefined && failures.length === 0);
  return {
    passed: sum(results.map(({ passed }) => passed)),
    failed:
      sum(failed.map(({ failures }) => failures.length)) +
      (unstable.length > mostUnstable ? unstable.length : 0),
    pending: sum(results.map(({ pending }) => pending)),
    missing: Object.fromEntries(
      [
        ...Map.groupBy(
          results.flatMap(({ missing }) => missing),
          (tool) => tool,
        ),
      ].map(([tool, all]) => [tool, all.length]),
    ),
    failures: failed.map(({ file, failures, output }) => ({ file, failures, output })),
    unstable: unstable.map(({ file, first }) => ({ file, ...first })),
    seconds: Object.fromEntries(results.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10])),
    slowest: results
      .map(({ file, slowest }) => ({ file, ...slowest }))
      .sort((one, other) => other.ms - one.ms)
      .slice(0, 10),
  };
}

function printFile({ file, failures, output }) {
  write(`\n  ${file}\n${failures.slice(0, mostPrinted).map(named).join('\n')}`);
  if (failures.length > mostPrinted) write(`    and ${failures.length - mostPrinted} more\n`);
  if (output) write(`    Its process wrote last:\n${indent(output, 6)}\n`);
}

/** @param took duration of the run, in seconds @param seed of its random cases */
export function print({ passed, failed, pending, missing, failures, unstable, slowest }, took, seed) {
  if (unstable.length > 0) write('\n\nUnstable (failed beside others, passed alone):\n');
  unstable.forEach(printFile);
  if (failures.length > 0) write('\n\nFailed:\n');
  failures.forEach(printFile);
  const [{ ms, file, title } = { ms: 0 }] = slowest;
  if (ms > 20_000) write(`\n  slowest test: ${Math.round(ms / 1000)} s, ${file}: ${title.join(' > ')}\n`);
  write(`\n  ${passed} passing (${Math.round(took)} s)\n`);
  if (pending > 0) write(`  ${pending} pending\n`);
  for (const [tool, count] of Object.entries(missing)) write(`  ${count} left out: ${tool} is missing\n`);
  if (unstable.length > 0)
    write(`  ${unstable.length} unstable: ${unstable.map(({ file }) => file).join(', ')}\n`);
  if (unstable.length > mostUnstable) write(`  More than ${mostUnstable} unstable files fail a run.\n`);
  if (failed + unstable.length > 0) write(`  TEST_SEED=${seed} draws the same cases\n`);
  if (failed > 0) write(`  ${failed} failing\n`);
  if (passed + failed + pending === 0) write('  No test ran.\n');
}
