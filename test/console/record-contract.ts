/** `node build/test/console/record-contract.js`, after `npm run build:tests`: makes the console's types anew. */
import { writeFileSync } from 'node:fs';
import { contractFile, makeContractTypes } from './contract-types.ts';

writeFileSync(contractFile, await makeContractTypes());
