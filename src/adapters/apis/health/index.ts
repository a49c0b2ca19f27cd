/** `/health`: probes for orchestrators and monitoring. No credentials, never cached, answered under any load. */

import { formats } from '../../formats/index.ts';
import type { DescribedApi, DescribedRoute } from '../../http/pipeline/api.ts';
import type { Context } from '../../http/pipeline/context.ts';
import { respond } from '../../http/pipeline/respond.ts';
import { shareRuns } from '../../scheduler/slots.ts';

interface HealthParts {
  /** Resolves when the store answers. @throws DomainError `unavailable` */
  check(): Promise<void>;
}

const probeRoute = (
  name: 'live' | 'ready',
  summary: string,
  problems: readonly string[],
  check?: () => Promise<void>,
): DescribedRoute => ({
  method: 'GET',
  path: `/health/${name}`,
  id: name,
  isNegotiated: false,
  async handle(ctx: Context) {
    await check?.();
    await respond(ctx, { status: 204, fields: ['Cache-Control', 'no-store'] });
  },
  summary,
  answers: [{ status: 204, description: 'It does.' }],
  problems,
});

/** `/health/live`: the process answers. `/health/ready`: the store answers too; otherwise 503 with a problem. */
export const healthApi = ({ check }: HealthParts): DescribedApi => ({
  name: 'health',
  description: 'Probes for whatever runs the service. They need no credentials.',
  prefixes: [],
  access: 'open',
  isShed: false,
  formats,
  routes: [
    probeRoute('live', 'Check that the process answers', []),
    // The path is open to all, and must not load the store.
    probeRoute('ready', 'Check that the store answers, too', ['unavailable'], shareRuns(check)),
  ],
});
