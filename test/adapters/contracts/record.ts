/**
 * Records the contract as it is now, unless it breaks without saying so: node test/adapters/contracts/record.ts
 * If `contractVersion` has a higher minor version, what was recorded before is frozen first: the service reads each earlier version.
 */
import { contractVersion } from '../../../src/adapters/contracts/versions.ts';
import { freezeRecorded, minorOf } from './frozen.ts';

const objection = freezeRecorded(minorOf(contractVersion));
const why = objection === undefined ? await (await import('./recorded.ts')).record() : [objection];
for (const line of why) process.stderr.write(`${line}\n`);
process.exitCode = why.length === 0 ? 0 : 1;
