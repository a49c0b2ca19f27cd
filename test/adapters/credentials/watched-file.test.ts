import { statSync } from 'node:fs';
import { platform } from 'node:os';
import { expect } from 'chai';
import { watchedFile } from '../../../src/adapters/credentials/watched-file.ts';

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
    watchedFile(
      file,
      (text) => text.trim(),
      (problem) => expect.fail(problem),
    );
  const itIs = (ms: number) => {
    const time = changedAt() + ms;
    Date.now = () => time;
  };

  it('is read at every look for two seconds after a change, since another may have come unseen', () => {
    write('one');
    itIs(2000);
    const current = follow();
    for (const text of ['one', 'two', 'three']) {
      write(text);
      expect(current()).to.equal(text);
    }
  });

  it('is read once more when they have passed, and no more until something tells of a change', () => {
    write('one');
    itIs(2000);
    const current = follow();
    expect(current()).to.equal('one');
    write('two');
    itIs(2001);
    expect(current()).to.equal('two');
    write('three');
    expect(current()).to.equal('two');
  });

  it('is read at every look when it seems to be of the future, as after the clock was set back', () => {
    write('one');
    itIs(-3_600_000);
    const current = follow();
    write('two');
    expect(current()).to.equal('two');
  });
});
