import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import JSON5 from 'json5';
import { defaults } from '../../src/adapters/stores/mongodb/connection/client.ts';
import { validateSettings } from '../../src/config/settings.ts';
import { SettingsError } from '../../src/config/sources.ts';

type Tree = { [key: string]: Tree | string };

const read = (name: string) => readFileSync(new URL(`../../config/${name}.json5`, import.meta.url), 'utf8');
const tree = (name: string): Tree => JSON5.parse(read(name));

function leaves(at: Tree, path: readonly string[] = []): (readonly string[])[] {
  return Object.entries(at).flatMap(([key, value]) =>
    value instanceof Object ? leaves(value, [...path, key]) : [[...path, key]],
  );
}
const names = (at: Tree) => leaves(at).map((path) => path.join('.'));

/** A copy in which `change` was done to the object that holds the leaf. */
function changed(path: readonly string[], change: (holder: Tree, key: string) => void): Tree {
  const copy = tree('default');
  let holder = copy;
  for (const key of path.slice(0, -1)) {
    const next = holder[key];
    if (next instanceof Object) holder = next;
  }
  change(holder, path.at(-1) ?? '');
  return copy;
}

/** Settings in `text` without a comment. In a group with one setting, the group's comment is enough. */
function uncommented(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const isComment = (line?: string) => line?.startsWith('//') === true;
  return lines.filter((line, at) => {
    if (isComment(line) || !/^\w+: [^{]/.test(line) || isComment(lines[at - 1])) return false;
    const alone = lines[at - 1]?.endsWith('{') && lines[at + 1]?.startsWith('}');
    return !(alone && isComment(lines[at - 2]));
  });
}

describe('The settings', () => {
  const variables = names(tree('custom-environment-variables'));
  const paths = leaves(tree('default'));

  it('have one environment variable each, and each variable has its setting', () => {
    expect(variables).to.deep.equal(names(tree('default')));
  });

  it('have variables with their names, beginning with USERS_', () => {
    for (const path of paths) {
      const expected = `USERS_${path.join('_').replace(/[A-Z]/g, '_$&').toUpperCase()}`;
      expect(read('custom-environment-variables')).to.contain(`'${expected}'`);
    }
  });

  it('are valid by default', () => {
    expect(validateSettings(tree('default'))).to.deep.equal(tree('default'));
  });

  it('are all required', () => {
    for (const path of paths) {
      const incomplete = changed(path, (holder, key) => delete holder[key]);
      expect(() => validateSettings(incomplete)).to.throw(SettingsError, path.at(-1) ?? '');
    }
  });

  it('are refused when one of them is misspelt', () => {
    for (const path of paths) {
      const misspelt = changed(path, (holder, key) => {
        holder[`${key}X`] = '';
      });
      expect(() => validateSettings(misspelt)).to.throw(SettingsError, `${path.at(-1)}X`);
    }
  });

  it('have the same limits for MongoDB as the store has by default', () => {
    const { uri: _, ...limits } = validateSettings(tree('default')).mongodb;
    expect(defaults).to.deep.include(limits);
  });

  it('are each explained by a comment', () => {
    expect(uncommented(read('default'))).to.deep.equal([]);
    expect(uncommented("{\n  host: '127.0.0.1',\n}")).to.deep.equal(["host: '127.0.0.1',"]);
  });

  describe('for the URL of the key set', () => {
    const withUrl = (url: string) =>
      validateSettings(
        changed(['jwt', 'keySetUrl'], (holder, key) => {
          holder[key] = url;
        }),
      );
    const fit = [
      'https://issuer.example/jwks',
      'https://issuer.example:8443/jwks?tenant=1',
      'http://localhost/jwks',
      'http://127.0.0.1:8080/jwks',
      'http://127.1.2.3',
      'http://[::1]:8080/jwks?tenant=1',
    ];
    for (const url of fit)
      it(`accept ${url}`, () => {
        expect(withUrl(url).jwt.keySetUrl).to.equal(url);
      });

    // An attacker on the network path could replace the keys.
    const unfit = [
      'http://issuer.example/jwks',
      'http://10.0.0.1/jwks',
      'http://localhost.issuer.example/jwks',
      'http://127.0.0.1.issuer.example/jwks',
      'http://127.0.0.1@issuer.example/jwks',
      'http://localhost:80@issuer.example/jwks',
      'http://localhost\\@issuer.example/jwks',
      'http://issuer.example/http://localhost/',
      'HTTP://issuer.example/jwks',
      'file:///etc/jwks.json',
      'issuer.example/jwks',
    ];
    for (const url of unfit)
      it(`refuse ${url}`, () => {
        expect(() => withUrl(url)).to.throw(SettingsError, 'jwt.keySetUrl: must be empty or an https URL');
      });
  });

  const withSetting = (name: string, value: string) =>
    validateSettings(
      changed(name.split('.'), (holder, key) => {
        holder[key] = value;
      }),
    );

  describe('for the retention of changes', () => {
    const kept = (retention: number, historyRetention: number) =>
      validateSettings({ ...tree('default'), changes: { retention, historyRetention, maxBytes: 2 ** 30 } });
    const words = 'historyRetention (USERS_CHANGES_HISTORY_RETENTION) must be 0, or at least as long';

    it('allow histories as long as the feed, or longer', () => {
      for (const [retention, historyRetention] of [
        [30, 0],
        [30, 30],
        [1, 365],
        [0, 0],
      ] as const)
        expect(kept(retention, historyRetention).changes.historyRetention).to.equal(historyRetention);
    });

    it('refuse histories that are shorter than the feed, or without a log', () => {
      expect(() => kept(30, 29)).to.throw(SettingsError, words);
      expect(() => kept(0, 30)).to.throw(SettingsError, 'which turns the log off');
    });
  });

  describe('that are invalid', () => {
    const wrong: [string, string, string][] = [
      ['basePath', '/..', 'must be empty or a path'],
      ['basePath', '/v1/./users', 'must be empty or a path'],
      ['basePath', '/v1/', 'must be empty or a path'],
      ['sqlite.file', ':memory:', 'must be the path of a file'],
      ['sqlite.file', 'file:users.db?mode=memory', 'must be the path of a file'],
      ['sqlite.file', 'data/', 'must be the path of a file'],
      ['sqlite.file', '', 'must be the path of a file'],
      ['jwt.issuer', 'https://issuer.example ', 'no spaces at its ends'],
      ['jwt.audience', '\tusers', 'no control characters'],
      ['jwt.keySetUrl', 'https://user:password@issuer.example/jwks', 'without credentials'],
      ['jwt.keySetUrl', 'https://user@issuer.example/jwks', 'without credentials'],
      ['jwt.keySetUrl', 'https://[issuer.example/jwks', 'must be a URL'],
      ['jwt.keySetUrl', 'https://a"b/jwks', 'must be a URL'],
      ...['1e3', ' 3000 ', '3000.0', '0x10', '+1', '-0', '007', '', '99999'].map(
        (port): [string, string, string] => ['port', port, 'must be'],
      ),
      ['workers', '0', 'must be'],
      ['requireIfMatch', 'TRUE', 'must be true or false'],
      ['mongodb.uri', ' mongodb://a.example', 'must be a connection string'],
      ['keyFiles.maxStale', '-1', 'must be'],
    ];
    for (const [name, value, message] of wrong)
      it(`are refused by name: ${name} of ${JSON.stringify(value)}`, () => {
        expect(() => withSetting(name, value))
          .to.throw(SettingsError, name)
          .with.property('message')
          .that.contains(message)
          .and.does.not.contain('password');
      });
  });
});
