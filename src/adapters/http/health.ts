/** Probes for whatever runs the service: open, outside the authenticated space, and never cached. */
import type { Users } from '../../domain/users.ts';
import type { Context, Next } from './context.ts';
import { HttpProblem } from './problems.ts';

const probes: readonly string[] = ['/health/live', '/health/ready'];
const allow = 'GET, HEAD, OPTIONS';

/** `/health/live`: the process answers. `/health/ready`: the store does too; 503 with a problem when it doesn't. */
export const health =
  (users: Pick<Users, 'check'>, basePath: string) =>
  async (ctx: Context, next: Next): Promise<void> => {
    const probe = probes.find((path) => ctx.path === basePath + path);
    if (probe === undefined) {
      await next();
      return;
    }
    ctx.state.route = probe;
    if (!allow.split(', ').includes(ctx.method))
      throw new HttpProblem('method-not-allowed', `This path answers to ${allow}.`, { Allow: allow });
    if (ctx.method === 'OPTIONS') ctx.set('Allow', allow);
    else if (probe === '/health/ready') await users.check();
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
  };
