import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { prettyLines } from '../../src/process/output/log.ts';
import { needed, outputOf } from '../outside/tools.ts';
import { aDataFolder, discardProcesses, program } from '../support/process.ts';
import { some } from '../support/runs.ts';

/** Runs a command on a new terminal until it listens, sends it a request, and prints everything that the terminal showed. */
const onTerminal = `
import os, pty, signal, sys, time, urllib.request
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
shown = b''
try:
    while True:
        piece = os.read(fd, 65536)
        shown += piece
        if b'Data in ' in shown and b'/health/live' not in shown:
            url = shown.split(b'Listening on ')[1].split(b'/users')[0].decode()
            urllib.request.urlopen(url + '/health/live').close()
        if b'/health/live' in shown and b'stopping' not in shown:
            os.kill(pid, signal.SIGTERM)
except OSError:
    pass
sys.stdout.buffer.write(shown)
`;

describe('On a terminal', () => {
  afterEach(discardProcesses);

  it('a line of the log contains no control characters, whatever a client sent', async () => {
    const msg = '\u001b]0;owned\u0007 \r\b\u009b2J \\u001b fine';
    const print = await prettyLines();
    const shown = print(`${JSON.stringify({ level: 30, time: 0, msg, at: msg })}\n`);
    expect(shown).to.contain('owned').and.contain('fine').and.match(/\n$/);
    const isCommand = (sign: string) => /\p{Cc}/u.test(sign) && sign !== '\n';
    // Colours are its own: an escape, a bracket, a number and an m.
    const plain = shown.replaceAll(/\p{Cc}\[\d*m/gu, '');
    expect([...plain].filter(isCommand)).to.deep.equal([]);
  });

  for (const workers of some(['1', '2']))
    it(`the log is formatted for people, with ${workers === '1' ? 'one process' : 'two workers'}`, async function () {
      const python = needed(this, 'python3');
      const folder = aDataFolder();
      const script = join(folder, 'terminal.py');
      writeFileSync(script, onTerminal);
      const command = [
        needed(this, 'env'),
        `--chdir=${folder}`,
        'NO_COLOR=1',
        'USERS_PORT=0',
        `USERS_WORKERS=${workers}`,
        process.execPath,
        program,
      ];
      const { out } = await outputOf(python, [script, ...command]);
      expect(out).to.match(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request \{.*"route":"\/health\/live".*\}\r?$/m);
      expect(out).to.match(/INFO: stopping/);
      expect(out).not.to.contain('"level":30');
    });
});
