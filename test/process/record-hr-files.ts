/** `node test/process/record-hr-files.ts`, after `npm run build:tests`: records the messages anew, for the reviewer to read. */
import { recordFiles } from './hr-files.ts';

await recordFiles();
