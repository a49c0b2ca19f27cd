/** A process of its own that opens the store at the address, and so migrates it. It sends each line for operators. */
import { openMongoStore } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import { deadline } from '../../../support/deadlines.ts';

const [uri = ''] = process.argv.slice(2);
const onProblem = (line: string): void => void process.send?.(line);
await openMongoStore({ uri, onProblem, quiet: 0, operationTimeout: deadline });
process.send?.('open');
