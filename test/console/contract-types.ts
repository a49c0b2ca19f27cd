/** The types that the console's client is written against, as openapi-typescript makes them of what the service publishes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientFolder, succeed } from '../clients/programs.ts';
import { aDataFolder, discardProcesses, startProcess } from '../support/process.ts';

/** It comes with the packages of the modern client, since it needs an older TypeScript. */
const generator = join(clientFolder('modern-typescript'), 'node_modules/openapi-typescript/bin/cli.js');

export const isGeneratorThere = (): boolean => existsSync(generator);

/** Where they are kept. */
export const contractFile = 'console/src/contract.ts';

export async function makeContractTypes(): Promise<string> {
  const output = join(aDataFolder(), 'contract.ts');
  try {
    const { url } = await startProcess();
    await succeed(process.execPath, [generator, `${url}/openapi.json`, '--output', output]);
    return readFileSync(output, 'utf8');
  } finally {
    await discardProcesses();
  }
}
