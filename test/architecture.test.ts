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

type Imports = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What each room, or each file, imports, and a file that does; imports of types alone count too. */
function importsOf(files: readonly string[], placeOf = roomOf): Imports {
  const places = new Map<string, Map<string, string>>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const [, to = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const place = placeOf(posix.join(posix.dirname(file), to));
      const from = places.get(placeOf(file)) ?? new Map<string, string>();
      places.set(placeOf(file), from);
      if (place !== placeOf(file)) from.set(place, file);
    }
  }
  return places;
}

/** A way from a place back to itself; undefined where there is none. */
function findCircle(imports: Imports): string | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  function follow(place: string): string | undefined {
    if (done.has(place)) return undefined;
    way.push(place);
    for (const [next, file] of imports.get(place) ?? []) {
      const circle = way.includes(next)
        ? [...way.slice(way.indexOf(next)), `${next} (${file})`].join(' → ')
        : follow(next);
      if (circle !== undefined) return circle;
    }
    way.pop();
    done.add(place);
    return undefined;
  }
  for (const place of imports.keys()) {
    const circle = follow(place);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

const inConsole = filesOf('console/src');

describe('The source', () => {
  for (const [part, files] of [
    ['of the service', sources],
    ['of the console', inConsole],
  ] as const) {
    it(`has no folders that import each other in a circle: ${part}`, () => {
      const imports = importsOf(files);
      expect(imports.size).to.be.above(10);
      expect(findCircle(imports)).to.equal(undefined);
    });

    it(`has no files that import each other in a circle: ${part}`, () => {
      const imports = importsOf(files, (file) => file);
      expect(imports.size).to.be.above(100);
      expect(findCircle(imports)).to.equal(undefined);
    });

    it(`has at most 15 files in each folder: ${part}`, () => {
      const counts = new Map<string, number>();
      for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
      for (const [folder, count] of counts) expect(count, folder).to.be.at.most(15);
    });
  }

  it('of the console uses only what the service publishes', () => {
    for (const file of inConsole) expect(readFileSync(file, 'utf8'), file).not.to.match(/from '[./]*\/src\//);
  });

  it('has a kernel that knows no users, no stores and no contracts', () => {
    const kernel = sources.filter((file) => file.startsWith('src/adapters/http/'));
    expect(kernel.length).to.be.above(10);
    for (const file of kernel) expect(readFileSync(file, 'utf8'), file).not.to.match(/user/i);
    const known = [...importsOf(sources)]
      .filter(([room]) => room.startsWith('src/adapters/http'))
      .flatMap(([, imports]) => [...imports.keys()])
      .filter((room) => !room.startsWith('src/adapters/http'));
    expect([...new Set(known)].sort()).to.deep.equal([
      'src/adapters/formats',
      'src/adapters/formats/port',
      'src/adapters/formats/text',
      'src/adapters/scheduler',
      'src/domain',
      'src/domain/validation',
    ]);
  });
});
