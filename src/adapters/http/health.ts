/** Probes for whatever runs the service: open, outside the authenticated space, and never cached. */
import type { Users } from '../../domain/users.ts';
import type { Context, Next } from './context.ts';
import { HttpProblem } from './problems.ts';

const probes: readonly string[] = ['/health/live', '/health/ready'];
const allow = 'GET, HEAD, OPTIONS';

/** `/health/live`: the process answers. `/health/ready`: the store does too; 503 with a problem when it doesn't. */
export const health = (users: Pick<Users, 'check'>, basePath: string) => {
  let checking: Promise<void> | undefined;
  /** One look at the store for all who ask meanwhile: the path is open, and shall cost no more than that. */
  function check(): Promise<void> {
    checking ??= users.check().finally(() => {
      checking = undefined;
    });
    return checking;
  }
  async function answer(ctx: Context, probe: string): Promise<void> {
    ctx.state.route = probe;
    if (!allow.split(', ').includes(ctx.method))
      throw new HttpProblem('method-not-allowed', `This path answers to ${allow}.`, { Allow: allow });
    if (ctx.method === 'OPTIONS') ctx.set('Allow', allow);
    else if (probe === '/health/ready') await check();
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
  }
  const routes = new Map(probes.map((probe) => [basePath + probe, probe]));
  return (ctx: Context, next: Next): Promise<unknown> => {
    const probe = routes.get(ctx.path);
    return probe === undefined ? next() : answer(ctx, probe);
  };
};
