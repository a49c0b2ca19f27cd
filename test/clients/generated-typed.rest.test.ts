import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { missing, needed } from '../outside/tools.ts';
import { caseDeadline } from '../support/deadlines.ts';
import { declarations } from '../support/declared.ts';
import { aDataFolder, discardProcesses, type Process, startProcess } from '../support/process.ts';
import { folderOf, generatedClients, openWorkplace, type Workshop } from './generated.ts';
import { succeed } from './programs.ts';

async function start(): Promise<Process> {
  const folder = aDataFolder();
  writeFileSync(join(folder, 'attributes.json5'), JSON.stringify(declarations));
  return startProcess({ folder, env: { USERS_ATTRIBUTES_FILE: 'attributes.json5' } });
}

describe('A client that is generated from the document of an installation with declared attributes', function () {
  this.timeout(3 * caseDeadline);
  let workshop: Workshop;

  before(async function () {
    needed(this, 'java');
    const tools = process.env.CLIENT_TOOLS ?? missing(this, 'what generates clients (CLIENT_TOOLS)');
    const { url } = await start();
    const published = await fetch(`${url}/openapi.json`);
    workshop = await openWorkplace(tools, await published.text(), 'clients-typed');
  });
  afterEach(discardProcesses);

  for (const client of generatedClients) {
    it(`compiles, and does everything that it does without them: ${client.name}`, async function () {
      for (const program of client.programs) needed(this, program);
      const service = await start();
      const token = await service.token();
      const { program, args, env } = await client.build(folderOf(workshop, client.name), workshop);
      const printed = await succeed(program, [...args, service.url], { ...env, TOKEN: token });
      expect(printed).to.include.members(['replaced', 'listed', '422']);
    });
  }
});
