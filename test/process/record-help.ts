/** `node test/process/record-help.ts`, after `npm run build:tests`: records the help anew, for the reviewer to see. */
import { recordHelp } from './help-texts.ts';

await recordHelp();
