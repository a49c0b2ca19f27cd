/** `probe`: asks the running service whether it is ready. For supervisors and health checks: its address comes from the settings. */
import { get } from 'node:http';
import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { loadSettings, type Settings } from '../config/settings.ts';
import { type CommandLine, exitCodes, printLines } from './command-line.ts';

/** In milliseconds: between two requests, and for one of them. */
const askAgainAfter = 500;
const timeout = 5000;

/** Addresses that stand for all of the machine's, and the one to connect to. */
const ownAddresses: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function urlOf({ host, port, basePath }: Settings): string {
  const address = ownAddresses[host] ?? host;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}${basePath}/health/ready`;
}

/** Not by `fetch`, which refuses some ports. @throws Error that says why the service is not ready */
const assertReady = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${url}: ${reason}`));
    get(url, { agent: false, timeout }, (response) => {
      response.resume();
      if (response.statusCode === 204) resolve();
      else fail(`the response is ${response.statusCode}`);
    })
      .on('timeout', function (this: ReturnType<typeof get>) {
        this.destroy(new Error('no response'));
      })
      .on('error', ({ message }) => fail(message));
  });

async function probe({ wait = 0 }: { readonly wait?: number }): Promise<[string]> {
  const url = urlOf(await loadSettings());
  const end = performance.now() + wait * 1000;
  for (;;) {
    try {
      await assertReady(url);
      return [`${url}: ready`];
    } catch (error) {
      if (performance.now() >= end) throw error;
      await delay(askAgainAfter);
    }
  }
}

function readSeconds(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('It is no number of seconds, up to 9999.');
  return Number(text);
}

export function register(command: CommandLine): void {
  command
    .option('--wait <seconds>', 'ask again for so long', readSeconds)
    .describeExitCodes({
      [exitCodes.done]: 'the service is ready',
      [exitCodes.failed]: 'it is not, or does not answer',
    })
    .action(printLines('Not ready', probe));
}
