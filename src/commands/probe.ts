/** `probe`: asks the running service whether it is ready. For supervisors and health checks: its address comes from the settings. */

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { withFileName } from '../adapters/system/errors.ts';
import { isRunning } from '../adapters/system/files.ts';
import { loadSettings } from '../config/settings.ts';
import { type CommandLine, exitCodes, printLines } from './command-line.ts';

/** In milliseconds: the time between two requests, and the time limit of each. */
const askAgainAfter = 500;
const timeout = 5000;

/** Wildcards: the service listens on all addresses. */
const anyAddress = /^(?:0\.0\.0\.0|::)$/;

/** systemd passes the process id of the service to the commands of its unit. When that process has ended, no answer will come. */
const hasEnded = (pid = process.env.MAINPID): boolean => pid !== undefined && !isRunning(Number(pid));

/** The service itself answers 204 or 503, also without credentials. */
const describeResponse = (status = 0): string =>
  status === 503
    ? 'the response is 503'
    : `the response is ${status}: run probe with the settings of the service (USERS_PORT, USERS_BASE_PATH)`;

async function probe({ wait = 0 }: { readonly wait?: number }): Promise<[string]> {
  const { host, port, basePath } = await loadSettings();
  const place = { host: anyAddress.test(host) ? 'localhost' : host, port, path: `${basePath}/health/ready` };
  const end = performance.now() + wait * 1000;
  for (;;) {
    const signal = AbortSignal.timeout(timeout);
    try {
      // `fetch` would refuse some ports.
      const request = get({ ...place, agent: false, signal });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      if (response.statusCode === 204) return ['ready'];
      throw new Error(describeResponse(response.statusCode));
    } catch (error) {
      const reason = signal.aborted ? new Error(`no response within ${timeout / 1000} s`) : error;
      if (performance.now() >= end || hasEnded())
        throw withFileName(`${place.host}:${port}${place.path}`, reason);
      await delay(askAgainAfter);
    }
  }
}

function readSeconds(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Give a number of seconds, up to 9999.');
  return Number(text);
}

export function register(command: CommandLine): void {
  command
    .option('--wait <seconds>', 'retry for this long', readSeconds)
    .describeExitCodes({
      [exitCodes.done]: 'the service is ready',
      [exitCodes.failed]: 'the service is not ready, or does not answer',
    })
    .action(printLines('Not ready', probe));
}
