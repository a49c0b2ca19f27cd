/** APIs with what the kernel makes of each, and whose path is whose. */

import type { Api, PrintProblem } from './api.ts';
import { type BodyReader, bodyReader } from './body.ts';
import { type Dispatcher, dispatcher } from './dispatch.ts';
import { type Negotiator, negotiator } from './negotiation.ts';

export interface Mounted extends Dispatcher {
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

export function mount(api: Api, settings: MountSettings, printProblem: PrintProblem): Mounted {
  const own = negotiator(api.formats, settings.defaultFormat);
  return {
    api,
    negotiator: own,
    readBody: bodyReader(api, own),
    printProblem: api.failures?.print ?? printProblem,
    ...dispatcher(api, settings.basePath),
  };
}

const hasParams = (path: string): boolean => path.includes(':');

/**
 * Whose path it is: the API that has a route there, or else the one with the longest prefix above it.
 * @param elsewhere whose the rest is
 */
export function locator(
  all: readonly Mounted[],
  elsewhere: Mounted,
  basePath: string,
): (path: string) => Mounted {
  const exact = new Map<string, Mounted>();
  for (const mounted of all)
    for (const { path } of mounted.api.routes) if (!hasParams(path)) exact.set(basePath + path, mounted);
  const prefixes = all
    .flatMap((mounted) => mounted.api.prefixes.map((prefix) => ({ start: `${basePath}${prefix}/`, mounted })))
    .sort((one, other) => other.start.length - one.start.length);
  return (path) =>
    exact.get(path) ?? prefixes.find(({ start }) => path.startsWith(start))?.mounted ?? elsewhere;
}
