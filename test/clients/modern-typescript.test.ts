import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { missing, outputOf } from '../outside/tools.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { clientFolder, succeed } from './programs.ts';

const folder = clientFolder('modern-typescript');

describe('A modern client: TypeScript, its types made by openapi-typescript from the OpenAPI document', () => {
  let service: Process;
  let complaints: string;

  before('is generated and compiled', async function () {
    if (!existsSync(join(folder, 'node_modules')))
      missing(this, "the modern client's packages (npm ci there)");
    service = await startProcess();
    rmSync(join(folder, 'build'), { recursive: true, force: true });
    const tool = (script: string) => join(folder, 'node_modules', script);
    const generator = [tool('openapi-typescript/bin/cli.js'), `${service.url}/openapi.json`];
    await succeed(process.execPath, [...generator, '--output', join(folder, 'build', 'service.ts')]);
    const compiled = await outputOf(process.execPath, [tool('typescript/bin/tsc'), '--project', folder]);
    complaints = compiled.out + compiled.err;
  });
  after(discardProcesses);

  it('compiles, strictly and without a cast, and its mistakes do not', () => {
    expect(complaints).to.equal('');
  });

  it('creates, reads, changes, patches, lists and deletes in JSON', async () => {
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
