/** One of several processes that share the port, below a primary. */
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Settings } from '../config.ts';
import { logOf } from './log.ts';
import { isQuestion, logDescriptor, type Report } from './protocol.ts';
import { startService } from './service.ts';
import { reasonOf } from './telling.ts';

/** Resolves when it is on its way, or nobody is there to read it. */
const report = (message: Report): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });

async function givenSettings(): Promise<Settings> {
  const given = once(process, 'message');
  await report({ kind: 'asking' });
  return (await given)[0];
}

export async function runWorker(self: Worker): Promise<void> {
  const settings = await givenSettings();
  const log = logOf(settings.logLevel, { shared: true, fd: logDescriptor });
  const onStoreFailed = (cause: unknown) => {
    const stale = cause instanceof Error && 'code' in cause && cause.code === 'ESTALE';
    void report({ kind: 'storeFailed', reason: reasonOf(cause), stale });
  };
  const service = await startService(settings, log, onStoreFailed).catch(async (error: unknown) => {
    await report({ kind: 'refused', reason: reasonOf(error, settings) });
    process.exit(1);
  });
  self.once('disconnect', () => {
    // Else node:cluster would end this process on the spot, and what is in flight with it.
    self.exitedAfterDisconnect = true;
    void service.end(1, 'the primary is gone');
  });
  process.on('message', (message) => {
    if (isQuestion(message)) void report({ kind: 'alive' });
  });
  await report({ kind: 'listening', url: service.url });
}
