import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type WatchOptions, watchFile } from '../../../src/adapters/credentials/watched-file.ts';

interface Text {
  readonly text: string;
}

const followed: { close(): void }[] = [];
function watch(options: WatchOptions<Text>) {
  const file = watchFile(options);
  followed.push(file);
  return file;
}
afterEach(() => {
  for (const file of followed.splice(0)) file.close();
});

/**
 * Changes, and nothing about it tells, as when two changes fall into one tick of a coarse clock: Linux shows there what the
 * process is called.
 */
const file = '/proc/self/comm';
const write = (text: string) => {
  process.title = text;
};

(platform() === 'linux' ? describe : describe.skip)('A file of settings that is followed', () => {
  const [{ now }, { title }] = [Date, process];
  afterEach(() => {
    Date.now = now;
    write(title);
  });

  const changedAt = () => Number(statSync(file, { bigint: true }).ctimeMs);
  const follow = () =>
    watch({
      file,
      parse: (text) => ({ text: text.trim() }),
      isPrivate: false,
      maxStaleSeconds: 60,
      onProblem: (problem) => expect.fail(problem),
    });
  const itIs = (ms: number) => {
    const time = changedAt() + ms;
    Date.now = () => time;
  };

  it('is read at every check for two seconds after a change, since another change could go unnoticed', () => {
    write('one');
    itIs(2000);
    const { current } = follow();
    for (const text of ['one', 'two', 'three']) {
      write(text);
      expect(current()?.text).to.equal(text);
    }
  });

  it('is read once more after the two seconds, and then only when it changes', () => {
    write('one');
    itIs(2000);
    const { current } = follow();
    expect(current()?.text).to.equal('one');
    write('two');
    itIs(2001);
    expect(current()?.text).to.equal('two');
    write('three');
    expect(current()?.text).to.equal('two');
  });

  it('is read in a few pieces, however many keys it has', () => {
    const folder = mkdtempSync(join(tmpdir(), 'watched-'));
    const long = join(folder, 'keys');
    writeFileSync(long, 'k'.repeat(2 ** 21));
    const { current } = watch({
      ...{ file: long, isPrivate: false, maxStaleSeconds: 60 },
      parse: (text) => ({ text }),
      onProblem: (problem) => expect.fail(problem),
    });
    const countReads = () => Number(/^syscr: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
    const before = countReads();
    expect(current()?.text).to.have.length(2 ** 21);
    expect(countReads() - before).to.be.within(1, 20);
    rmSync(folder, { recursive: true });
  });

  it('is read at every check while its time is in the future, as after the clock was set back', () => {
    write('one');
    itIs(-3_600_000);
    const { current } = follow();
    write('two');
    expect(current()?.text).to.equal('two');
  });
});

describe('A file of keys that is gone or damaged', () => {
  let folder: string;
  let file: string;
  let seconds: number;
  let problems: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'watched-'));
    file = join(folder, 'keys');
    seconds = 1000;
    problems = [];
    writeFileSync(file, 'good', { mode: 0o600 });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const parse = (text: string): Text => {
    if (!text.startsWith('good')) throw new Error('no keys');
    return { text };
  };
  const open = (more: Partial<WatchOptions<Text>> = {}) =>
    watch({
      file,
      parse,
      isPrivate: true,
      maxStaleSeconds: 60,
      onProblem: (problem) => problems.push(problem),
      elapsed: () => seconds * 1000,
      ...more,
    });

  const faults: Record<string, [() => void, RegExp]> = {
    'is deleted': [() => rmSync(file), /ENOENT/],
    'is emptied': [() => truncateSync(file), /no keys/],
    'is damaged': [() => writeFileSync(file, 'bad'), /no keys/],
    'is a folder now': [() => rmSync(file) ?? mkdirSync(file), /not a regular file/],
    'is a FIFO now': [() => rmSync(file) ?? void execFileSync('mkfifo', [file]), /not a regular file/],
    'is a device now': [() => rmSync(file) ?? symlinkSync('/dev/zero', file), /not a regular file/],
    'may be read by its group': [() => chmodSync(file, 0o640), /others than its owner .* chmod 600/],
    'may be written by all accounts': [() => chmodSync(file, 0o602), /others than its owner .* chmod 600/],
    'lies in a folder that is gone': [() => renameSync(folder, `${folder}-moved`), /ENOENT/],
  };
  for (const [what, [harm, reason]] of Object.entries(faults))
    it(`provides its last good keys for the configured time, and then none until it is good again, if it ${what}`, () => {
      const { current } = open();
      expect(current()).to.deep.equal({ text: 'good' });
      harm();
      seconds += 59;
      expect(current()).to.deep.equal({ text: 'good' });
      seconds += 1;
      expect(current()).to.equal(undefined);
      seconds += 3600;
      expect(current()).to.equal(undefined);
      rmSync(`${folder}-moved`, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      writeFileSync(file, 'good again', { mode: 0o600 });
      expect(current()).to.deep.equal({ text: 'good again' });
      for (const problem of problems) expect(problem).to.contain(file).and.to.match(reason);
    });

  it('may be restored unchanged, and its keys are valid again', () => {
    const { current } = open();
    renameSync(folder, `${folder}-away`);
    seconds += 61;
    expect(current()).to.equal(undefined);
    renameSync(`${folder}-away`, folder);
    expect(current()).to.deep.equal({ text: 'good' });
    chmodSync(file, 0o644);
    seconds += 61;
    expect(current()).to.equal(undefined);
    chmodSync(file, 0o600);
    expect(current()).to.deep.equal({ text: 'good' });
  });

  it('is reported at once, when its keys expire, and once a minute, however many requests arrive', () => {
    const { current } = open();
    rmSync(file);
    for (let times = 0; times < 100; times += 1) current();
    expect(problems).to.have.length(1);
    expect(problems[0]).to.contain('the last good version stays in use for 60 s at most');
    seconds += 60;
    for (let times = 0; times < 100; times += 1) current();
    expect(problems).to.have.length(2);
    expect(problems[1]).to.contain('nothing in it counts until it is good again');
    for (let minute = 0; minute < 3; minute += 1) {
      seconds += 30;
      current();
      seconds += 30;
      current();
    }
    expect(problems).to.have.length(5);
  });

  it('is not read again while it is unchanged', () => {
    let parsed = 0;
    const counted = (text: string) => {
      parsed += 1;
      return parse(text);
    };
    const { current } = open({ parse: counted });
    writeFileSync(file, 'bad');
    const { now } = Date;
    Date.now = () => now() + 10_000;
    try {
      for (let times = 0; times < 100; times += 1) current();
      expect(parsed).to.equal(2);
    } finally {
      Date.now = now;
    }
  });

  it('invalidates its keys at once when the time to keep them is 0', () => {
    const { current } = open({ maxStaleSeconds: 0 });
    expect(current()).to.deep.equal({ text: 'good' });
    rmSync(file);
    expect(current()).to.equal(undefined);
  });

  it('fails the start, naming the file', () => {
    for (const [harm, reason] of Object.values(faults)) {
      harm();
      expect(() => open())
        .to.throw(file)
        .with.property('message')
        .that.matches(reason);
      rmSync(`${folder}-moved`, { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      writeFileSync(file, 'good', { mode: 0o600 });
    }
  });
});
