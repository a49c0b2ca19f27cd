import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect } from 'chai';

/** Rooms are folders; a file at the top is a room of its own. */
const roomOf = (file: string): string =>
  /(?:^|\/)src$/.test(posix.dirname(file)) ? file : posix.dirname(file);

const filesOf = (folder: string): readonly string[] =>
  execFileSync('git', ['ls-files', folder], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file));

const sources = filesOf('src');

/** Which rooms each room imports from, and a file that does. */
function importsOf(files: readonly string[]): Map<string, Map<string, string>> {
  const rooms = new Map<string, Map<string, string>>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const [, to = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const room = roomOf(posix.join(posix.dirname(file), to));
      const from = rooms.get(roomOf(file)) ?? new Map<string, string>();
      rooms.set(roomOf(file), from);
      if (room !== roomOf(file)) from.set(room, file);
    }
  }
  return rooms;
}

/** A way from a room back to itself, room by room; undefined where there is none. */
function circleFrom(
  start: string,
  rooms: ReadonlyMap<string, ReadonlyMap<string, string>>,
  way: readonly string[] = [start],
): readonly string[] | undefined {
  for (const [next, file] of rooms.get(way.at(-1) ?? '') ?? []) {
    if (next === start) return [...way, `${start} (${file})`];
    if (way.includes(next)) continue;
    const found = circleFrom(start, rooms, [...way, next]);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('The rooms of the house', () => {
  const rooms = importsOf(sources);

  it('do not import each other in a circle', () => {
    expect(rooms.size).to.be.above(10);
    for (const room of rooms.keys()) expect(circleFrom(room, rooms)?.join(' → ')).to.equal(undefined);
  });

  it('do not either in the console, which knows nothing of the service but what it publishes', () => {
    const files = filesOf('console/src');
    const inConsole = importsOf(files);
    expect(inConsole.size).to.be.above(10);
    for (const room of inConsole.keys()) expect(circleFrom(room, inConsole)?.join(' → ')).to.equal(undefined);
    for (const file of files) expect(readFileSync(file, 'utf8'), file).not.to.match(/from '[./]*\/src\//);
  });

  it('have at most 15 files each', () => {
    const counts = new Map<string, number>();
    for (const file of sources) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
    for (const [folder, count] of counts) expect(count, folder).to.be.at.most(15);
  });

  it('have a kernel that knows no users, no stores and no contracts', () => {
    const kernel = sources.filter((file) => file.startsWith('src/adapters/http/'));
    expect(kernel.length).to.be.above(10);
    for (const file of kernel) expect(readFileSync(file, 'utf8'), file).not.to.match(/user/i);
    const known = [...rooms]
      .filter(([room]) => room.startsWith('src/adapters/http'))
      .flatMap(([, imports]) => [...imports.keys()])
      .filter((room) => !room.startsWith('src/adapters/http'));
    expect([...new Set(known)].sort()).to.deep.equal([
      'src/adapters/formats',
      'src/adapters/formats/core',
      'src/adapters/scheduler',
      'src/domain',
      'src/domain/base',
    ]);
  });
});
