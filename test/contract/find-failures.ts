import Mocha from 'mocha';
import { caseDeadline } from '../support/deadlines.ts';
import type { ContractUi } from './user-store.ts';

class Silent extends Mocha.reporters.Base {
  override epilogue(): void {}
}

/**
 * Runs cases of a contract apart from the tests of this run.
 * @param define the cases @param titles matches those to run
 * @returns the titles of those that fail
 */
export async function findFailures(define: (ui: ContractUi) => void, titles = /./): Promise<string[]> {
  const mocha = new Mocha({ reporter: Silent, grep: titles, timeout: caseDeadline });
  const ui: Partial<ContractUi> = {};
  mocha.suite.emit('pre-require', ui, '', mocha);
  define(ui as ContractUi);
  const failed: string[] = [];
  await new Promise<void>((resolve) => {
    mocha.run(() => resolve()).on('fail', (test) => failed.push(test.fullTitle()));
  });
  // Removes the runner's listeners from the process.
  mocha.dispose();
  return failed;
}
