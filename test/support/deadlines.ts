/**
 * The only limits of waiting in tests. They are long, because a busy machine can be a hundred times slower than an idle one: a test that
 * passes never meets them. TEST_PATIENCE is a factor on both, for machines that are slower still.
 */
import { setTimeout as delay } from 'node:timers/promises';
import options from '../../.mocharc.json' with { type: 'json' };

const patience = Number(process.env.TEST_PATIENCE ?? 1);

/** In ms: how long one test or hook may take. */
export const caseDeadline = options.timeout * patience;

/** In ms: how long a test waits for a condition, a page, a process or a server; shorter, since its message says what was missing. */
export const deadline = caseDeadline / 2;

/**
 * Waits until the condition holds; asks again every few ms.
 * @param what completes "not so after 60 s: …" @throws Error after `deadline`
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + deadline;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not so after ${deadline / 1000} s: ${what}`);
    await delay(5);
  }
}
