import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { missing, needed } from '../outside/tools.ts';
import { caseDeadline } from '../support/deadlines.ts';
import { aFreePort } from '../support/free-port.ts';
import { discardProcesses, startProcess } from '../support/process.ts';
import {
  type Command,
  folderOf,
  type GeneratedClient,
  generatedClients,
  openWorkplace,
  type Workshop,
} from './generated.ts';
import { clientFolder, readExample, succeed } from './programs.ts';

/** What every client prints when it has gone well, in this order. */
const steps = [
  ...['created', 'read', 'total', 'replaced', 'patched', 'cleared', 'listed'],
  ...['404', '409', '412', '422'],
];

async function use({ program, args, env }: Command, url: string, token: string): Promise<void> {
  const printed = await succeed(program, [...args, url], { ...env, TOKEN: token });
  expect(printed.filter((line) => steps.includes(line))).to.deep.equal(steps);
}

const prism = join(process.env.NODE_TOOLS ?? '', 'node_modules/@stoplight/prism-cli/dist/index.js');

/** Refuses what doesn't keep to the contract, in either direction. @returns it, and where it listens */
async function startPrism(contract: string, service: string) {
  const port = await aFreePort();
  const args = [prism, 'proxy', contract, service, '--errors', '--host', '127.0.0.1', '--port', `${port}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('is listening')) return { child, url: `http://127.0.0.1:${port}` };
  throw new Error('Prism ended without listening');
}

describe('A client that is generated from the OpenAPI document', function () {
  this.timeout(3 * caseDeadline);
  let workshop: Workshop;
  const built = new Map<string, Command>();

  before(async function () {
    needed(this, 'java');
    const tools = process.env.CLIENT_TOOLS ?? missing(this, 'what generates clients (CLIENT_TOOLS)');
    const { url } = await startProcess();
    const published = await fetch(`${url}/openapi.json`);
    workshop = await openWorkplace(tools, await published.text());
  });
  afterEach(discardProcesses);

  const build = async (client: GeneratedClient): Promise<Command> => {
    const command = built.get(client.name) ?? (await client.build(folderOf(workshop, client.name), workshop));
    built.set(client.name, command);
    return command;
  };

  for (const client of generatedClients) {
    it(`creates, reads, lists, replaces and patches users, and receives violations: ${client.name}`, async function () {
      for (const program of client.programs) needed(this, program);
      const service = await startProcess();
      await use(await build(client), service.url, await service.token());
    });
  }

  describe('behind Prism, which checks requests and responses against the document', () => {
    let proxy: ChildProcess | undefined;
    afterEach(async () => {
      proxy?.kill();
      if (proxy !== undefined) await once(proxy, 'close');
      proxy = undefined;
    });

    it('causes no complaint', async function () {
      if (!existsSync(prism)) missing(this, 'Prism');
      const service = await startProcess();
      const started = await startPrism(workshop.contract, service.url);
      proxy = started.child;
      const [client] = generatedClients.filter(({ name }) => name === 'typescript-fetch');
      if (client !== undefined) await use(await build(client), started.url, await service.token());
    });
  });
});

describe('docs/clients.md', () => {
  const page = readFileSync('docs/clients.md', 'utf8');

  for (const client of generatedClients) {
    it(`has the tested code of ${client.name}, in about twenty lines`, () => {
      const [, section = ''] = page.split(`\n## ${client.title}\n`);
      const code = /^```[a-z]+\n(.*?)\n```$/ms.exec(section)?.[1];
      expect(code).to.equal(readExample(join(clientFolder('generated'), client.name, client.source)));
      expect(code?.split('\n').filter((line) => line.trim() !== '').length).to.be.at.most(24);
    });

    it(`shows the options that ${client.name} needs beyond its defaults`, () => {
      const [section = ''] = (page.split(`\n## ${client.title}\n`)[1] ?? '').split('\n## ');
      expect(section).to.include(client.options);
    });
  }
});
