/** Probes for whatever runs the service: open, outside the authenticated space, and never cached. */
import type { Users } from '../../../domain/users.ts';
import type { Context } from '../../http/context.ts';
import { HttpProblem } from '../../http/problems.ts';
import { respond } from '../../http/respond.ts';

const probes: readonly string[] = ['/health/live', '/health/ready'];
const allow = 'GET, HEAD, OPTIONS';

/**
 * `/health/live`: the process answers. `/health/ready`: the store does too; 503 with a problem when it doesn't.
 * Undefined for any other path.
 */
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
    const isOptions = ctx.method === 'OPTIONS';
    if (!isOptions && probe === '/health/ready') await check();
    const fields = ['Cache-Control', 'no-store', ...(isOptions ? ['Allow', allow] : [])];
    respond(ctx, { status: 204, fields });
  }
  const routes = new Map(probes.map((probe) => [basePath + probe, probe]));
  return (ctx: Context, path: string): Promise<void> | undefined => {
    const probe = routes.get(path);
    return probe === undefined ? undefined : answer(ctx, probe);
  };
};
