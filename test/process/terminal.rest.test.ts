import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { needed, outputOf } from '../outside/tools.ts';
import { aDataFolder, discardProcesses, program } from '../support/process.ts';

/** Interrupts a command on a terminal once it has shown something, and prints how it ended. Gives it time, but not for ever. */
const interrupted = `
import os, pty, signal, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
os.read(fd, 65536)
os.kill(pid, signal.SIGINT)
def give_up(*_):
    os.kill(pid, signal.SIGKILL)
signal.signal(signal.SIGALRM, give_up)
signal.alarm(20)
try:
    while os.read(fd, 65536):
        pass
except OSError:
    pass
print(signal.Signals(os.waitpid(pid, 0)[1] & 127).name)
`;

describe('On a terminal', () => {
  afterEach(discardProcesses);

  it('an import from the keyboard ends on one signal', async function () {
    const python = needed(this, 'python3');
    const folder = aDataFolder();
    const script = join(folder, 'terminal.py');
    writeFileSync(script, interrupted);
    const importing = [process.execPath, program, 'import', '-', '--format', 'jsonl'];
    const { out } = await outputOf(python, [script, needed(this, 'env'), `--chdir=${folder}`, ...importing]);
    expect(out).to.equal('SIGINT\n');
  });
});
