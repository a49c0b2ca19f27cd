import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { missing } from '../outside/tools.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { clientFolder, succeed } from './programs.ts';

const folder = clientFolder('modern-typescript');

describe('A modern client: TypeScript, its types made by openapi-typescript from the OpenAPI document', () => {
  let service: Process;
  const tool = (script: string, ...args: readonly string[]) =>
    succeed(process.execPath, [join(folder, 'node_modules', script), ...args]);

  before(
    'is generated and compiled, with every mistake refused that the types are to refuse',
    async function () {
      this.timeout(120_000);
      if (!existsSync(join(folder, 'node_modules')))
        missing(this, "the modern client's packages (npm ci there)");
      service = await startProcess();
      rmSync(join(folder, 'build'), { recursive: true, force: true });
      const generated = join(folder, 'build', 'service.ts');
      await tool('openapi-typescript/bin/cli.js', `${service.url}/openapi.json`, '--output', generated);
      await tool('typescript/bin/tsc', '--project', folder);
    },
  );
  after(discardProcesses);

  it('creates, reads, changes, patches, lists and deletes in JSON', async function () {
    this.timeout(30_000);
    const main = join(folder, 'build', 'compiled', 'src', 'main.js');
    const token = await service.token();
    expect(await succeed(process.execPath, [main, service.url], { TOKEN: token })).to.deep.equal([
      'created',
      'read',
      'changed',
      'refused',
      'patched',
      'listed',
      'deleted',
      'not let in without a token',
    ]);
  });
});
