/** One of several processes that share the port, below a primary. */
import type { Worker } from 'node:cluster';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { codeOf } from '../../adapters/system/errors.ts';
import type { Settings } from '../../config/settings.ts';
import { openWantedMetrics } from '../metrics-server.ts';
import { openLog } from '../output/log.ts';
import { reasonOf } from '../output/startup-messages.ts';
import { startService } from '../service.ts';
import { isMetricsRequest, logDescriptor, reportInterval, type WorkerReport } from './worker-messages.ts';

/** Resolves when the message is on its way, or the primary is gone. */
const sendReport = (message: WorkerReport): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(message, undefined, undefined, () => resolve());
  });

async function receiveSettings(): Promise<Settings> {
  const given = once(process, 'message');
  await sendReport({ kind: 'asking' });
  return (await given)[0];
}

/**
 * Reports progress: the event loop turns, or at least requests arrive. A flood of short requests may fill one turn for longer than a worker
 * may be silent; in an endless loop no request arrives. A report leaves the process at once, not at the end of the turn.
 */
function reportProgress(interval: number): void {
  let isSending = false;
  let last = performance.now();
  const report = () => {
    // While the primary is stopped it reads nothing, and further reports would pile up.
    if (isSending) return;
    isSending = true;
    last = performance.now();
    void sendReport({ kind: 'alive' }).then(() => {
      isSending = false;
    });
  };
  setInterval(report, interval).unref();
  subscribe('http.server.request.start', () => {
    if (performance.now() - last >= interval) report();
  });
}

/** Serves until a signal ends it, the primary is gone or the store fails. A failed start is reported and ends the process. */
export async function runWorker(self: Worker): Promise<void> {
  const settings = await receiveSettings();
  const log = await openLog(settings.logLevel, { shared: true, fd: logDescriptor });
  const onStoreFailed = (cause: unknown) => {
    const stale = codeOf(cause) === 'ESTALE';
    void sendReport({ kind: 'storeFailed', reason: reasonOf(cause), stale });
  };
  const metrics = await openWantedMetrics(settings);
  const observers = metrics === undefined ? [] : [metrics.observer];
  const service = await startService(settings, log, { onStoreFailed, observers }).catch(
    async (error: unknown) => {
      await sendReport({ kind: 'refused', reason: reasonOf(error, settings) });
      process.exit(1);
    },
  );
  self.once('disconnect', () => {
    // Otherwise node:cluster would end this process at once, with its requests in flight.
    self.exitedAfterDisconnect = true;
    void service.end(1, 'the primary is gone');
  });
  process.on('message', (message) => {
    if (isMetricsRequest(message))
      void metrics?.values().then((values) => sendReport({ kind: 'metrics', values }));
  });
  await sendReport({ kind: 'listening', url: service.url });
  reportProgress(reportInterval(settings.timeouts.unresponsive));
}
