import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

const biome = resolve('node_modules/@biomejs/biome/bin/biome');

describe('The domain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'domain-'));
  before(() => {
    mkdirSync(join(folder, 'src/domain'), { recursive: true });
    // The project's own rules; only the ignore file of its checkout isn't there.
    const { vcs: _checkout, $schema: _schema, ...rules } = JSON.parse(readFileSync('biome.json', 'utf8'));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules));
  });
  after(() => rmSync(folder, { recursive: true }));
  const lint = (text: string): string => {
    writeFileSync(join(folder, 'src/domain/probe.ts'), text);
    const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', 'src'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return stdout + stderr;
  };

  it('imports only its own files and typebox', () => {
    const text = "import Type from 'typebox';\nexport { User } from './user.ts';\nexport const t = Type;\n";
    expect(lint(text)).to.match(/^Checked 1 file in .* No fixes applied/);
  });

  const outside = [
    "import Koa from 'koa';\nexport const app = new Koa();\n",
    "export const load = () => import('better-sqlite3');\n",
    "export * from '../adapters/http/app.ts';\n",
    "import type { JWTPayload } from 'jose';\nexport type Claims = JWTPayload;\n",
    "export { readFileSync } from 'node:fs';\n",
  ];
  for (const text of outside) {
    it(`may not say ${text.split('\n')[0]}`, () => {
      expect(lint(text)).to.include('noRestrictedImports');
    });
  }
});
