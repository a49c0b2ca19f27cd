/**
 * A process of the pool (pool.js): runs the files that it receives, one after another, and reports events of each: a message when a
 * test or hook begins, so that the parent knows where a process that crashes or hangs was, and one for each result.
 */
import { createRequire } from 'node:module';
import { format } from 'node:util';
import Mocha from 'mocha';
import { captureContext, forgetContext } from '../../test/support/failure-context.ts';
import { mochaHooks } from '../../test/support/hooks.ts';
import { missingTool } from '../../test/support/left-out.ts';

const { loadOptions } = createRequire(import.meta.url)('mocha/lib/cli/options.cjs');
/** The options of mocha's command line, under the names that its constructor accepts. */
const options = Object.fromEntries(
  Object.entries(loadOptions(process.argv.slice(2))).map(([name, value]) => [
    name.replace(/-(.)/g, (_, letter) => letter.toUpperCase()),
    value,
  ]),
);
const { constants: on } = Mocha.Runner;
const { Base } = Mocha.reporters;
const tell = (event, details) => process.connected && process.send({ event, ...details });

// The parent no longer needs this process, or has ended.
process.on('disconnect', () => process.exit());
// mocha 12 ignores rejections; thrown, they fail the test that runs, or end the process.
process.on('unhandledRejection', (reason) => {
  throw reason instanceof Error ? reason : new Error(`rejected with ${format(reason)}`);
});

/** The failure as mocha's reporters print it, with its difference and its causes. */
function textOf(error) {
  let text = '';
  Base.consoleLog = (_format, _number, _title, message = '', stack = '') => {
    text += `${message}\n${stack}`;
  };
  Base.list([{ err: error, titlePath: () => [] }]);
  return text.trim();
}

/** @returns a constructor of a mocha reporter that sends what happens */
const reporter = (file) =>
  function Telling(runner) {
    const failures = [];
    const failureOf = ({ title, text, context }) => ({ title, text, context: context() });
    const fail = (runnable, error) => {
      const failure = { title: runnable.titlePath(), text: textOf(error), context: captureContext() };
      failures.push(failure);
      tell('fail', { failure: failureOf(failure) });
    };
    const begin = (runnable) => tell('begin', { title: runnable.titlePath(), limit: runnable.timeout() });
    // A hook around a test is reported as that test.
    const hook = (one) => begin(one.ctx?.currentTest ?? one);
    runner
      .on(on.EVENT_SUITE_BEGIN, forgetContext)
      .on(on.EVENT_TEST_BEGIN, forgetContext)
      .on(on.EVENT_SUITE_BEGIN, (suite) => tell('suite', { title: suite.titlePath() }))
      .on(on.EVENT_TEST_BEGIN, begin)
      .on(on.EVENT_HOOK_BEGIN, hook)
      .on(on.EVENT_TEST_PASS, (test) => tell('pass', { title: test.titlePath(), ms: test.duration }))
      .on(on.EVENT_TEST_PENDING, (test) => {
        if (process.env.CI) fail(test, new Error('skipped: CI must run every test'));
        else tell('pending', { title: test.titlePath(), tool: missingTool(test) });
      })
      .on(on.EVENT_TEST_FAIL, fail)
      // Captured again, since the bodies of responses may have arrived meanwhile.
      .on(on.EVENT_RUN_END, () => tell('end', { file, failures: failures.map(failureOf) }));
    // A test may set its own limit while it runs.
    const beat = () => tell('beat', { limit: runner.currentRunnable?.timeout() });
    const timer = setInterval(beat, 1000).unref();
    runner.on(on.EVENT_RUN_END, () => clearInterval(timer));
  };

process.on('message', async (file) => {
  const mocha = new Mocha({ ...options, rootHooks: mochaHooks, reporter: reporter(file) });
  try {
    await mocha.addFile(file).loadFilesAsync();
    // Each run leaves listeners on the process.
    mocha.run(() => mocha.dispose());
  } catch (error) {
    tell('end', { file, failures: [{ title: ['the file cannot be loaded'], text: textOf(error) }] });
  }
});
tell('ready');
