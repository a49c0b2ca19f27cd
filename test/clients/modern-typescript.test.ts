import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { missing, outputOf } from '../outside/tools.ts';
import { discardProcesses, type Process, startProcess } from '../support/process.ts';
import { clientFolder, succeed } from './programs.ts';

const folder = clientFolder('modern-typescript');

describe('A modern client in TypeScript, with types that openapi-typescript generates,', () => {
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

  it('compiles in strict mode without a cast, and wrong uses do not', () => {
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

  it('runs the code of docs/clients.md', async () => {
    const { url, token } = await startProcess();
    const program = join(folder, 'build', 'compiled', 'src', 'example.js');
    expect(await succeed(process.execPath, [program, url], { TOKEN: await token() })).to.deep.equal([
      '1 of 1, no more',
      '412 The user has changed since the version you named.',
    ]);
    const [section = ''] = (
      readFileSync('docs/clients.md', 'utf8').split('\n## TypeScript\n')[1] ?? ''
    ).split('\n## ');
    const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(section) ?? [];
    const source = readFileSync(join(folder, 'src', 'example.ts'), 'utf8');
    const imports = source.match(/^import .*(?:openapi-fetch|service\.ts).*$/gm) ?? [];
    const [, example = ''] = /^\/\/ docs\/clients\.md\n(.*?)^\/\/ end$/ms.exec(source) ?? [];
    expect(code).to.equal([...imports, '', example].join('\n').replace('../build/', './'));
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(section)
      .to.include(`openapi-typescript@${devDependencies['openapi-typescript']}`)
      .and.include(`openapi-fetch@${dependencies['openapi-fetch']}`);
  });
});
