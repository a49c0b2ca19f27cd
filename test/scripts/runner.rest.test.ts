import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { caseDeadline } from '../support/deadlines.ts';

interface Failure {
  readonly title: readonly string[];
  readonly text: string;
}

interface FailedFile {
  readonly file: string;
  readonly failures: readonly Failure[];
  readonly output?: string;
}

interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly pending: number;
  readonly missing: Readonly<Record<string, number>>;
  readonly failures: readonly FailedFile[];
  readonly unstable: readonly FailedFile[];
  readonly seconds: Readonly<Record<string, number>>;
}

/** A line for each failure of a file: its title, a colon, the first line of its text. */
const linesOf = (files: readonly FailedFile[], name: string): string[] =>
  files
    .filter(({ file }) => file.endsWith(`/${name}.ts`))
    .flatMap(({ failures }) => failures)
    .map((failure) => `${failure.title.join(' > ')}: ${failure.text.split('\n')[0]}`);

describe('The runner of these tests', function () {
  this.timeout(3 * caseDeadline);
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** Runs files of test/scripts/cases/ as `npm test` does. */
  async function runCases(names: readonly string[], { options = [] as string[], env = {} } = {}) {
    const folder = join(mkdtempSync(join(tmpdir(), 'runner-')), 'run');
    folders.push(join(folder, '..'));
    const child = spawn(
      process.execPath,
      ['scripts/test.js', ...options, ...names.map((name) => `test/scripts/cases/${name}.ts`)],
      { env: { ...process.env, CI: '', RUN_FOLDER: folder, ...env }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const kind = options.includes('--queue') ? 'test' : 'named';
    const totals: Totals = JSON.parse(readFileSync(join(folder, `totals-${kind}.json`), 'utf8'));
    return { printed, code, totals };
  }

  describe('over a queue of files', () => {
    let run: Awaited<ReturnType<typeof runCases>>;
    before(async () => {
      const names = [
        'passes',
        'fails-once',
        'fails',
        'ends-its-process',
        'is-killed',
        'does-not-load',
        'skips',
      ];
      run = await runCases(names, { options: ['--queue'] });
    });
    const failed = (name: string) => linesOf(run.totals.failures, name);

    it('keeps the results of all other files, whatever happens in one file', () => {
      const { passed, failed: count, pending, seconds } = run.totals;
      expect({ passed, count, pending }).to.deep.equal({ passed: 5, count: 8, pending: 5 });
      expect(Object.keys(seconds)).to.have.length(7);
      expect(run.code).to.equal(1);
    });

    it('prints a line for each tool that is missing, with how many tests it left out', () => {
      expect(run.totals.missing).to.deep.equal({ 'tool A': 3, 'tool B': 1 });
      expect(run.printed).to.include('3 left out: tool A is missing\n');
    });

    it('tries a failed file again, alone, and names it as unstable when it passes then', () => {
      const first = 'A file that fails once > passes when it is alone: the first try';
      expect(linesOf(run.totals.unstable, 'fails-once')).to.deep.equal([first]);
      expect(failed('fails-once')).to.deep.equal([]);
      expect(run.printed).to.include('1 unstable: test/scripts/cases/fails-once.ts');
    });

    it('prints a failure with its difference', () => {
      expect(run.printed).to.match(/- {2}"status": 503\s+\+ {2}"status": 200/);
    });

    it('fails a test during which a promise rejects, and all tests of a failed hook', () => {
      expect(failed('fails').map((line) => line.replace(/^.* > /, ''))).to.deep.equal([
        'shows the difference: AssertionError: expected { status: 503 } to deeply equal { status: 200 }',
        'fails when a promise rejects beside it: Uncaught Error: rejected beside it',
        '"before all" hook for "fails its first test": Error: no store',
        'fails its first test: Error: no store',
        'fails its last test: Error: no store',
      ]);
    });

    it('names the test in which a process ended, with its exit and its last output', () => {
      expect(failed('ends-its-process')).to.deep.equal([
        'A file that ends its process > is named when it calls exit: crashes: its process ended by exit code 0',
      ]);
      expect(run.printed).to.include('what it wrote last');
    });

    it('names the signal that ends a process', () => {
      expect(failed('is-killed')).to.deep.equal([
        'A file whose process is ended by a signal > is named when it is killed: crashes: its process ended by SIGSEGV',
      ]);
    });

    it('fails a file that cannot be loaded', () => {
      expect(failed('does-not-load')).to.deep.equal(['the file cannot be loaded: Error: no such setting']);
    });
  });

  describe('over named files, in CI, with little patience', () => {
    let run: Awaited<ReturnType<typeof runCases>>;
    before(async () => {
      const names = ['never-returns', 'never-resolves', 'never-loads', 'skips'];
      run = await runCases(names, { env: { CI: 'true', TEST_PATIENCE: '0.05' } });
    });
    const failed = (name: string) => linesOf(run.totals.failures, name);

    it('ends a process that makes no progress, and names its test', () => {
      expect(failed('never-returns').join()).to.match(
        /^A file that never returns > is named when it blocks its process: hangs: nothing happened/,
      );
      expect(failed('never-loads').join()).to.match(/^before its first test: hangs/);
    });

    it('continues after a test that never resolves', () => {
      expect(failed('never-resolves').join()).to.include('Timeout of 6000ms exceeded');
      expect(run.printed).to.include('✔ continues with the next test');
    });

    it('fails a test that is skipped, and one whose tool is missing', () => {
      expect(failed('skips').slice(0, 3)).to.deep.equal([
        'A file that skips > is pending where it makes no sense: Error: skipped: CI must run every test',
        'A file that skips > is left out on a machine without a tool: Error: tool A is not installed, and CI must have it',
        'A suite without its tool > "before all" hook for "is left out": Error: tool A is not installed, and CI must have it',
      ]);
    });
  });

  it('prints below a failure the error responses of the test, and the output of its processes', async () => {
    const { printed } = await runCases(['fails-at-a-service']);
    const [, refused = '', processes = ''] =
      printed.split('\nFailed:')[1]?.split('A file whose service refuses > ') ?? [];
    expect(refused).to.match(
      /415 for POST \/users\n +{"type":"\/problems\/unsupported-media-type".*\n +{"level":30,/,
    );
    expect(refused).to.not.include('/users/forgotten');
    expect(processes).to.match(/401 for GET http:\S+\/users\n +{"type":"\/problems\/unauthenticated"/);
    expect(processes).to.match(/Process \d+ \(user-management\), running\n +its standard output:\n/);
    expect(processes).to.match(
      /\(user-management export --format none\), ended by exit code 64\n.*\n +error: option/,
    );
  });

  it('runs each file in one of the shards', async () => {
    const names = ['passes', 'fails', 'does-not-load'];
    const shards = ['--shard=1/3', '--shard=2/3', '--shard=3/3'];
    const runs = await Promise.all(shards.map((shard) => runCases(names, { options: ['--queue', shard] })));
    expect(runs.map(({ totals }) => Object.keys(totals.seconds))).to.deep.equal(
      names.map((name) => [`test/scripts/cases/${name}.ts`]),
    );
  });

  it('fails when no test has run', async () => {
    const { code, printed } = await runCases(['passes'], { options: ['--grep', 'no such title'] });
    expect(printed).to.include('No test ran.');
    expect(code).to.equal(1);
  });

  it('fails when more than three files are unstable', async () => {
    const report = pathToFileURL('scripts/tests/report.js').href;
    const { totalsOf }: { totalsOf(results: readonly object[]): Totals } = await import(report);
    const passed = { passed: 1, pending: 0, missing: [], failures: [], seconds: 1, slowest: { ms: 1 } };
    const unstable = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...passed, file: `${at}.js`, first: { failures: [{}] } }));
    expect([3, 4].map((count) => totalsOf(unstable(count)).failed)).to.deep.equal([0, 4]);
  });
});
