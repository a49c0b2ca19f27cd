import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { loadSettings } from '../../src/config/settings.ts';
import { SettingsError } from '../../src/config/sources.ts';

describe('The sources of settings', () => {
  let folders: string[] = [];

  /** A folder of settings with these files. */
  function aFolder(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'));
    folders.push(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  }

  afterEach(() => {
    for (const folder of folders) rmSync(folder, { recursive: true });
    folders = [];
  });

  const basePathFrom = async (...given: readonly string[]) =>
    (await loadSettings({ NODE_CONFIG_DIR: given.join(delimiter) })).basePath;

  it('take precedence in this order: files, NODE_CONFIG, environment variables', async () => {
    const folder = aFolder({ 'local.json5': "{ basePath: '/file', port: 1, workers: 1 }" });
    const env = {
      NODE_CONFIG_DIR: folder,
      NODE_CONFIG: '{"port":2,"workers":2}',
      USERS_WORKERS: '3',
      USERS_HOST: '',
    };
    const { basePath, port, workers, host } = await loadSettings(env);
    expect([basePath, port, workers, host]).to.deep.equal(['/file', 2, 3, '127.0.0.1']);
  });

  it('leave the other settings of a group as they were', async () => {
    const env = { NODE_CONFIG_DIR: aFolder({ 'local.json5': '{ timeouts: { request: 7 } }' }) };
    const { request, headers } = (await loadSettings(env)).timeouts;
    expect([request, headers]).to.deep.equal([7, 10_000]);
  });

  it('include files for one deployment, which another deployment ignores', async () => {
    const folder = aFolder({ 'test.json5': "{ basePath: '/test' }", 'local-test.json5': '{ port: 5 }' });
    const of = async (NODE_ENV: string) => {
      const { basePath, port } = await loadSettings({ NODE_CONFIG_DIR: folder, NODE_ENV });
      return [basePath, port];
    };
    expect(await of('test')).to.deep.equal(['/test', 5]);
    expect(await of('development')).to.deep.equal(['', 3000]);
  });

  it('include local.json5 over any other file, and of two folders the later one', async () => {
    const [one, other] = [aFolder({ 'local.json5': "{ basePath: '/a' }" }), aFolder({})];
    writeFileSync(join(other, 'default.json'), '{ "basePath": "/b" }');
    expect(await basePathFrom(one, other)).to.equal('/a');
    writeFileSync(join(other, 'local.json'), '\ufeff{ "basePath": "/c" }');
    expect(await basePathFrom(one, other)).to.equal('/a');
    writeFileSync(join(other, 'local.json5'), "{ basePath: '/d' }");
    expect(await basePathFrom(one, other)).to.equal('/d');
  });

  const refused: Readonly<Record<string, readonly [file: string, text: string, message: string]>> = {
    'that is no JSON5': ['local.json5', '{ port: }', 'local.json5: JSON5: invalid character'],
    'in a format that is not read': [
      'local.yaml',
      'port: 1',
      'local.yaml: settings must be in JSON5 or JSON',
    ],
    'with an unknown setting': ['local.json5', '{ prot: 1 }', 'prot'],
    'with a setting of a reserved name': ['local.json5', '{ "__proto__": { "port": 1 } }', '__proto__'],
    'with a list in it': ['local.json5', '[1]', 'local.json5: must be an object'],
  };
  for (const [which, [file, text, message]] of Object.entries(refused))
    it(`refuse a file ${which}, by name`, async () => {
      const error = await basePathFrom(aFolder({ [file]: text })).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(SettingsError).with.property('message').that.contains(message);
    });
});
