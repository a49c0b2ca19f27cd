/** Records the contract as it is now, unless it breaks without saying so: node test/adapters/contracts/record.ts */
import { record } from './recorded.ts';

const why = await record();
for (const line of why) process.stderr.write(`${line}\n`);
process.exitCode = why.length === 0 ? 0 : 1;
