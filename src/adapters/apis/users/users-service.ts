/** The parts shared by the handlers of /users, created once at startup. */
import type { StoredUser } from '../../../domain/user/stored-user.ts';
import { User } from '../../../domain/user/user.ts';
import type { Users } from '../../../domain/users.ts';
import type { Codec, Format, Parsed } from '../../formats/core/format.ts';
import { assertPresent, type Context, clientOf } from '../../http/core/context.ts';
import { type UrlSettings, type Urls, urls } from '../../http/core/urls.ts';
import { Slices } from '../../scheduler/event-loop.ts';
import { userNaming } from './documents.ts';

export interface UsersSettings extends UrlSettings {
  readonly requireIfMatch: boolean;
  /** Shared caches may store responses to reads, but must revalidate them each time. */
  readonly sharedCaching: boolean;
}

export interface UsersParts {
  readonly users: Users;
  readonly formats: readonly [Format, ...Format[]];
  readonly settings: UsersSettings;
}

/** Prints stored users: their JSON is sent unchanged or transcoded, unless a format needs values. */
export interface UserPrinter {
  print(user: StoredUser): string;
  readonly list: Omit<Codec<User>['list'], 'item'> & {
    /** Separated by `between`. */
    items(users: readonly StoredUser[]): string;
  };
}

export interface UsersService {
  readonly users: Users;
  readonly url: Urls;
  readonly codec: (format: Format) => Codec<User>;
  readonly printer: (format: Format) => UserPrinter;
  readonly requireIfMatch: boolean;
  /** The Cache-Control of reads. */
  readonly cacheControl: string;
}

function userPrinter({ isCanonical, transcoder, print, list: { item, ...list } }: Codec<User>): UserPrinter {
  const text = (user: StoredUser): string => user.text;
  if (isCanonical)
    return { print: text, list: { ...list, items: (users) => users.map(text).join(list.between) } };
  const printItem = (user: StoredUser): string => transcoder?.items([user.text]) ?? item(user.user);
  return {
    print: (user) => transcoder?.print(user.text) ?? print(user.user),
    list: {
      ...list,
      items: (users) => transcoder?.items(users.map(text)) ?? users.map(printItem).join(list.between),
    },
  };
}

export function usersService({ users, formats, settings }: UsersParts): UsersService {
  const codecs = new Map(formats.map((format) => [format, format.codec<User>(User, userNaming)] as const));
  const printers = new Map([...codecs].map(([format, codec]) => [format, userPrinter(codec)]));
  return {
    users,
    url: urls(settings),
    codec: (format) => assertPresent(codecs.get(format)),
    printer: (format) => assertPresent(printers.get(format)),
    requireIfMatch: settings.requireIfMatch,
    cacheControl: settings.sharedCaching ? 'public, no-cache, must-revalidate' : 'private, no-cache',
  };
}

/**
 * Runs in steps, so that other requests are served in between.
 * @returns the body's value, with violations for unknown members
 * @throws HttpProblem 415, 413, 503, 400; UnreadableError
 */
export async function readUserBody(ctx: Context, service: UsersService): Promise<Parsed> {
  const { bytes, format, charset } = await ctx.state.mounted.readBody(ctx);
  return new Slices(clientOf(ctx)).run(service.codec(format).read(bytes, charset));
}
