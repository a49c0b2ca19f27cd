import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/** Lints a text as if it stood in that file. */
const lint = (file: string, text: string) =>
  spawnSync(
    process.execPath,
    ['node_modules/@biomejs/biome/bin/biome', 'lint', `--stdin-file-path=${file}`],
    {
      input: text,
      encoding: 'utf8',
    },
  );

describe('The domain', () => {
  const outside = [
    "import Koa from 'koa';\nexport const app = new Koa();\n",
    "export const load = () => import('better-sqlite3');\n",
    "export * from '../adapters/http/app.ts';\n",
    "import type { JWTPayload } from 'jose';\nexport type Claims = JWTPayload;\n",
    "export { readFileSync } from 'node:fs';\n",
  ];

  it('may import its own files and typebox', () => {
    const result = lint(
      'src/domain/probe.ts',
      "import Type from 'typebox';\nexport { User } from './user.ts';\nexport const t = Type;\n",
    );
    expect(result.stderr + result.stdout).to.not.include('noRestrictedImports');
  });

  for (const text of outside) {
    it(`may not say ${text.split('\n')[0]}`, () => {
      const result = lint('src/domain/probe.ts', text);
      expect(result.status).to.not.equal(0);
      expect(result.stderr + result.stdout).to.include('noRestrictedImports');
    });
  }
});
