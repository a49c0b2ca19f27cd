/** The parts shared by the handlers of one kind of resource, created once at startup. */
import type { TObject } from 'typebox';
import type { Principal } from '../../../domain/ports.ts';
import type { Projection } from '../../../domain/resource/projection.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import type { Resources } from '../../../domain/use-cases/resources.ts';
import type { Codec, Format, Parsed } from '../../formats/port/format.ts';
import { assertPresent, type Context, clientOf } from '../../http/pipeline/context.ts';
import { type UrlSettings, type Urls, urls } from '../../http/pipeline/urls.ts';
import { Slices } from '../../scheduler/slices.ts';
import type { ResourceDefinition } from './definition.ts';
import { listParser } from './list-query.ts';

export interface ResourceSettings extends UrlSettings {
  readonly requireIfMatch: boolean;
  /** Shared caches may store responses to reads, but must revalidate them each time. */
  readonly sharedCaching: boolean;
  /** The version for clients without a pin of their own, or empty. */
  readonly contract: string;
}

/** The rules for caches of a client's reads. */
interface Caching {
  /** Their Cache-Control. */
  readonly control: string;
  /** Whether `If-Modified-Since` alone may get a 304. */
  readonly byDate: boolean;
}

export interface ResourceServiceParts {
  readonly definition: ResourceDefinition;
  readonly resources: Resources<Resource>;
  readonly formats: readonly [Format, ...Format[]];
  readonly settings: ResourceSettings;
}

/** Prints stored resources: their JSON is sent unchanged or transcoded, unless a format needs values. */
export interface ResourcePrinter {
  print(stored: Stored<Resource>): string;
  readonly list: Omit<Codec<unknown>['list'], 'item'> & {
    /** Separated by `between`. */
    items(all: readonly Stored<Resource>[]): string;
  };
}

export interface ResourceService {
  readonly definition: ResourceDefinition;
  readonly resources: Resources<Resource>;
  readonly url: Urls;
  /** The codec of bodies. @param contract the version that the client is pinned to: a hint never names a member that the client may not send */
  readonly codec: (format: Format, contract: string | undefined) => Codec<unknown>;
  readonly printer: (format: Format) => ResourcePrinter;
  readonly parseListQuery: ReturnType<typeof listParser>;
  readonly requireIfMatch: boolean;
  readonly cachingFor: (principal: Principal) => Caching;
}

const ownReads: Caching = { control: 'private, no-cache', byDate: true };
const sharedReads: Caching = { control: 'public, no-cache, must-revalidate', byDate: true };
/**
 * Reads of a client with a profile and, if shared caches are allowed, of a client with a pin of its own: a shared cache may hold another
 * representation with the same date, whose tag a gateway has dropped. A change of the profile has no date.
 */
const ownViews: Caching = { control: 'private, no-cache', byDate: false };

type Codecs = ReadonlyMap<Format, Codec<unknown>>;

function printerOf({
  isCanonical,
  transcoder,
  print,
  list: { item, ...list },
}: Codec<unknown>): ResourcePrinter {
  const text = ({ shown }: Stored<Resource>): string => shown;
  if (isCanonical)
    return { print: text, list: { ...list, items: (all) => all.map(text).join(list.between) } };
  const printItem = (stored: Stored<Resource>): string =>
    transcoder?.item(stored.shown) ?? stored.read(() => item(JSON.parse(stored.shown)));
  return {
    print: (stored) => transcoder?.print(stored.shown) ?? stored.read(() => print(JSON.parse(stored.shown))),
    list: { ...list, items: (all) => all.map(printItem).join(list.between) },
  };
}

export function resourceService({
  definition,
  resources,
  formats,
  settings,
}: ResourceServiceParts): ResourceService {
  const { document, kind } = definition;
  const codecsOf = (schema: TObject): Codecs =>
    new Map(formats.map((format) => [format, format.codec<unknown>(schema, document.naming)]));
  const codecs = codecsOf(document.schema);
  const printers = new Map([...codecs].map(([format, codec]) => [format, printerOf(codec)]));
  const pinned = new Map<Projection, Codecs>();
  const codecsFor = (contract: string | undefined): Codecs => {
    const projection = kind.projectionFor({ contract });
    if (projection === undefined) return codecs;
    const made = pinned.get(projection) ?? codecsOf(projection.narrow(document.schema));
    pinned.set(projection, made);
    return made;
  };
  return {
    definition,
    resources,
    url: urls(settings),
    codec: (format, contract) => assertPresent(codecsFor(contract).get(format)),
    printer: (format) => assertPresent(printers.get(format)),
    parseListQuery: listParser(definition.kind),
    requireIfMatch: settings.requireIfMatch,
    cachingFor: ({ contract = '', access }) => {
      if (access !== undefined) return ownViews;
      if (!settings.sharedCaching) return ownReads;
      return contract === settings.contract ? sharedReads : ownViews;
    },
  };
}

/**
 * Runs in steps, so that other requests are served in between.
 * @returns the body's value, with violations for unknown members
 * @throws HttpProblem 415, 413, 503, 400; UnreadableError
 */
export async function readBodyBy(ctx: Context, codecOf: (format: Format) => Codec<unknown>): Promise<Parsed> {
  const { bytes, format, charset } = await ctx.state.mounted.readBody(ctx);
  return new Slices(clientOf(ctx)).run(codecOf(format).read(bytes, charset));
}
