/** Mounts APIs: prepares each once, at the start, and finds the API of a path. */

import { type Negotiator, negotiator } from '../headers/negotiation.ts';
import type { Api, PrintProblem } from './api.ts';
import { type Dispatcher, dispatcher } from './dispatch.ts';
import { type BodyReader, bodyReader } from './read-body.ts';
import type { Step } from './steps.ts';

export interface MountedApi extends Dispatcher {
  readonly api: Api;
  readonly negotiator: Negotiator;
  readonly readBody: BodyReader;
  readonly printProblem: PrintProblem;
}

export interface MountSettings {
  readonly basePath: string;
  /** The name of the format that is preferred between equals. */
  readonly defaultFormat: string;
}

/** @param printProblem for an API that has no way of its own */
export function mount(api: Api, settings: MountSettings, printProblem: PrintProblem): MountedApi {
  const ownNegotiator = negotiator(api.formats, settings.defaultFormat);
  return {
    api,
    negotiator: ownNegotiator,
    readBody: bodyReader(api, ownNegotiator),
    printProblem: api.printProblem ?? printProblem,
    ...dispatcher(api, settings.basePath),
  };
}

const hasParams = (path: string): boolean => path.includes(':');

/**
 * The API with a route at the request's path; otherwise the one with the longest matching prefix.
 * @param fallback for all other paths
 */
export function apiFinder(all: readonly MountedApi[], fallback: MountedApi, basePath: string): Step {
  const exact = new Map<string, MountedApi>();
  for (const mounted of all)
    for (const { path } of mounted.api.routes) if (!hasParams(path)) exact.set(basePath + path, mounted);
  const prefixes = all
    .flatMap((mounted) => mounted.api.prefixes.map((prefix) => ({ start: `${basePath}${prefix}/`, mounted })))
    .sort((one, other) => other.start.length - one.start.length);
  return (ctx) => {
    // `OPTIONS *`: of a target without a slash, Koa has Node's `url.parse` make a path.
    const path = ctx.req.url === '*' ? '*' : ctx.path;
    ctx.state.mounted =
      exact.get(path) ?? prefixes.find(({ start }) => `${path}/`.startsWith(start))?.mounted ?? fallback;
  };
}
