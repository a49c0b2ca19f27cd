/** Mounts APIs: prepares each once, at the start, and finds the API of a path. */
import { negotiator } from '../headers/negotiation.ts';
import type { PrintProblem } from '../problems/problems.ts';
import type { Api } from './api.ts';
import type { MountedApi } from './context.ts';
import { dispatcher } from './dispatch.ts';
import { bodyReader } from './read-body.ts';
import type { Step } from './steps.ts';

export interface MountSettings {
  readonly basePath: string;
  /** The name of the format that is preferred between equals. */
  readonly defaultFormat: string;
}

function mount(api: Api, { basePath, defaultFormat }: MountSettings, printProblem: PrintProblem): MountedApi {
  const { name, isShed, problems } = api;
  const ownNegotiator = negotiator(api.formats, defaultFormat);
  return {
    name,
    isShed,
    problems,
    printProblem: api.printProblem ?? printProblem,
    negotiator: ownNegotiator,
    readBody: bodyReader(api, ownNegotiator),
    ...dispatcher(api, basePath),
  };
}

const hasParams = (path: string): boolean => path.includes(':');

/**
 * The API with a route at the request's path; otherwise the one with the longest matching prefix.
 * @param unclaimed for all other paths @param printProblem for APIs that have no way of their own
 */
export function apiFinder(
  apis: readonly Api[],
  unclaimed: Api,
  settings: MountSettings,
  printProblem: PrintProblem,
): Step {
  const { basePath } = settings;
  const exact = new Map<string, MountedApi>();
  const below: { readonly start: string; readonly mounted: MountedApi }[] = [];
  for (const api of apis) {
    const mounted = mount(api, settings, printProblem);
    for (const { path } of api.routes) if (!hasParams(path)) exact.set(basePath + path, mounted);
    for (const prefix of api.prefixes) below.push({ start: `${basePath}${prefix}/`, mounted });
  }
  below.sort((one, other) => other.start.length - one.start.length);
  const fallback = mount(unclaimed, settings, printProblem);
  return (ctx) => {
    // `OPTIONS *`: of a target without a slash, Koa has Node's `url.parse` make a path.
    const path = ctx.req.url === '*' ? '*' : ctx.path;
    ctx.state.mounted =
      exact.get(path) ?? below.find(({ start }) => `${path}/`.startsWith(start))?.mounted ?? fallback;
  };
}
