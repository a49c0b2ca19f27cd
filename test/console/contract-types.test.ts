import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { missing } from '../outside/tools.ts';
import { contractFile, isGeneratorThere, makeContractTypes } from './contract-types.ts';

describe("The types of the console's client", function () {
  this.timeout(30_000);

  it('are those of the contract that the service publishes', async function () {
    if (!isGeneratorThere()) missing(this, "the modern client's packages (npm ci there)");
    const made = await makeContractTypes();
    const hint = 'make them anew: node build/test/console/record-contract.js';
    expect(readFileSync(contractFile, 'utf8') === made, hint).to.equal(true);
  });
});
