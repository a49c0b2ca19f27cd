/** Probes for whatever runs the service: open, outside the authenticated space, and never cached. */
import type { Users } from '../../domain/users.ts';
import type { Context, Next } from './context.ts';

/** `/health/live`: the process answers. `/health/ready`: the store does too; 503 with a problem when it doesn't. */
export const health =
  (users: Pick<Users, 'check'>, basePath: string) =>
  async (ctx: Context, next: Next): Promise<void> => {
    const probe = ctx.path === `${basePath}/health/live` || ctx.path === `${basePath}/health/ready`;
    if (!probe || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) {
      await next();
      return;
    }
    ctx.state.route = ctx.path.slice(basePath.length);
    ctx.set('Cache-Control', 'no-store');
    if (ctx.state.route === '/health/ready') await users.check();
    ctx.status = 204;
  };
