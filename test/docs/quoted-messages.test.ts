import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { read } from './printed-commands.ts';

/** Texts of the sources as they are printed: one that is put together from several literals is one here. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'))
  .join('\n')
  .replaceAll("\\'", "'")
  .replace(/['`]\s*\+\s*['`]/g, '');

/** Of Node, SQLite and systemd. */
const notOurs = [
  'permission denied',
  'database is locked',
  'start request repeated too quickly',
  'write EPIPE',
];

/** What stands between code marks in the first column of tables: what an operator sees. `…` and `<id>` stand for what differs. */
const symptomsOn = (page: string): string[] =>
  [...read(page).matchAll(/^\| (.*?) (?<!\\)\| /gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted))
    .filter((quoted) => quoted.includes(' ') && !/^(?:--|restore )/.test(quoted))
    .flatMap((quoted) => quoted.split(/…|<id>/))
    .map((part) => part.replace(/^[\s:,(]+|[\s:,)]+$/g, ''))
    .filter((part) => part.length > 3 && !notOurs.includes(part));

describe('The messages of the program', () => {
  for (const page of ['docs/faults.md', 'docs/operate/at-three-in-the-morning.md'])
    it(`are quoted as it prints them: ${page}`, () => {
      const symptoms = symptomsOn(page);
      expect(symptoms.length).to.be.above(10);
      for (const symptom of symptoms) expect(sources.includes(symptom), symptom).to.equal(true);
    });
});
