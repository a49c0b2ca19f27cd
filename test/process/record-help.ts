/** `node build/test/process/record-help.js`, after `npx tsc -p tsconfig.test.json`: records the help anew, for the reviewer to see. */
import { recordHelp } from './help-texts.ts';

await recordHelp();
