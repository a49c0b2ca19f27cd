import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Field, readFields } from '../../../console/src/schema/fields.ts';
import { de as dePage } from '../../../console/src/texts/de/index.ts';
import { en as enPage } from '../../../console/src/texts/en/index.ts';
import type { Violations } from '../../../console/src/texts/en/violations.ts';
import { files as deFiles } from '../../../console/src/texts/files/de.ts';
import { files as enFiles } from '../../../console/src/texts/files/en.ts';
import { userKind } from '../../../src/domain/kinds/user/kind.ts';
import { kindsOf } from '../../../src/domain/kinds.ts';
import { DomainError, type Violation } from '../../../src/domain/validation/errors.ts';
import { recordedFolder } from '../../adapters/contracts/frozen.ts';
import { recordedFiles } from '../../process/hr-files.ts';
import { declarations } from '../../support/declared.ts';

const en = { ...enPage, files: enFiles };
const de = { ...dePage, files: deFiles };

type Entries = readonly (readonly [path: string, text: unknown])[];

/** Texts and functions by their path, such as `resource.confirm.user`. */
const entriesOf = (texts: object, path: readonly string[] = []): Entries =>
  Object.entries(texts).flatMap(([name, text]): Entries => {
    const own = [...path, name];
    return typeof text === 'object' && !Array.isArray(text) ? entriesOf(text, own) : [[own.join('.'), text]];
  });

const pathsOf = (field: Field): readonly string[] => {
  if (field.kind === 'group') return [field.path, ...field.fields.flatMap(pathsOf)];
  return field.kind === 'list' ? [field.path, ...pathsOf(field.item)] : [field.path];
};

/** What an import has told of files with mistakes, without the places. */
const recordedMistakes = (): readonly string[] =>
  [...recordedFiles().matchAll(/^ {4}(?:Not finished: users\.csv: )?row .*?: (?=[^:]*[a-z])(.*)$/gm)].map(
    ([, detail = '']) => detail,
  );

const explain = ({ failures }: typeof enPage, detail: string, more: Violations = []): string | undefined => {
  const [pattern, words] = [...more, ...failures.violations].find(([one]) => one.test(detail)) ?? [];
  return pattern && detail.replace(pattern, words ?? '');
};

/** The page's code, without the catalogs. */
const sources = execFileSync('git', ['ls-files', 'console/src'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('/texts/'))
  .map((file) => readFileSync(file, 'utf8'));

describe("The catalogs of the console's texts", () => {
  it('have the same texts in each language, and none is empty', () => {
    const [english, german] = [entriesOf(en), entriesOf(de)];
    expect(english.length).to.be.above(200);
    expect(german.map(([path]) => path).sort()).to.deep.equal(english.map(([path]) => path).sort());
    for (const [path, text] of [...english, ...german])
      expect(typeof text === 'string' ? text.trim() : text, path).to.not.equal('');
  });

  it('have only texts that the page uses', () => {
    const unused = Object.entries(en).flatMap(([section, texts]) => {
      const taken = new RegExp(`texts[./]${section}\\b|\\{[^}]*\\b${section}\\b[^}]*\\} = texts;`);
      const users = sources.filter((source) => taken.test(source)).join('\n');
      return Object.keys(texts)
        .filter((name) => !new RegExp(`\\b${name}\\b`).test(users))
        .map((name) => `${section}.${name}`);
    });
    // Fields are looked up by their names, which the next test compares with the schema.
    expect(unused.filter((path) => !path.startsWith('fields.'))).to.deep.equal([]);
  });

  it('have names for exactly the fields of the published schema', () => {
    for (const kind of ['user', 'group'] as const) {
      const schema = JSON.parse(readFileSync(`${recordedFolder}/${kind}.json`, 'utf8'));
      const paths = readFields(kind, schema).flatMap(pathsOf);
      for (const path of Object.keys(en.fields[kind])) expect(paths, kind).to.include(path);
    }
  });

  it('describe mistakes in a file in German, and name no option of the command in any language', () => {
    const mistakes = recordedMistakes();
    expect(new Set(mistakes).size).to.be.above(25);
    for (const mistake of mistakes) {
      expect(explain(de, mistake, deFiles.violations), mistake)
        .to.be.a('string')
        .and.to.not.contain('--');
      expect(explain(en, mistake, enFiles.violations) ?? mistake, mistake).to.not.contain('--');
    }
  });

  it('describe in German what a member of a document must be', () => {
    const details = [...JSON.stringify(userKind.schema).matchAll(/"must":"([^"]*)"/g)].map(
      ([, must]) => `must ${must}`,
    );
    expect(new Set(details).size).to.be.above(6);
    const wrong = {
      userName: 7,
      active: 'x',
      name: 'Ada',
      emails: {},
      roles: ['a', 'a'],
      tittle: '',
      phone: 1,
    };
    expect(() => userKind.builder.readInput(wrong))
      .to.throw(DomainError)
      .with.property('violations')
      .that.satisfies(
        (found: readonly Violation[]) => details.push(...found.map(({ detail }) => detail)) > 12,
      );
    for (const detail of details) expect(explain(de, detail), detail).to.be.a('string');
  });

  it('describe in German what a declared attribute must be', () => {
    const { builder } = kindsOf(declarations).of('user');
    const attributes = {
      ...{ badge: 0, hired: 'x', costCentre: 'x', level: 'x', remote: 'x', sites: ['a\nb'], mentor: 'x' },
      ...{ rate: 1.234_567_890_123_456_7, seen: 'x', scores: ['x', 'x'], Badge: '7' },
    };
    expect(() => builder.readInput({ userName: 'ada', attributes }))
      .to.throw(DomainError)
      .with.property('violations')
      .that.satisfies(
        (found: readonly Violation[]) =>
          found.length > 9 && found.every(({ detail }) => explain(de, detail) !== undefined),
      );
  });

  it('write quotation marks, dashes and dots of omission as each language does', () => {
    for (const [path, text] of [...entriesOf(en), ...entriesOf(de)])
      if (typeof text === 'string') expect(text, path).to.not.match(/\.\.\.|"|\w'\w/);
    for (const [path, text] of entriesOf(de))
      if (typeof text === 'string') expect(text, path).to.not.match(/[^\s]…| - /);
  });
});
