/**
 * Access profiles (the setting `access.file`): what credentials with a profile may see and write. `profile-file.ts` reads the file's content;
 * the file is read again when it changes.
 */
import { existsSync } from 'node:fs';
import { listKeys } from '../adapters/credentials/api-keys/change-keys.ts';
import type { KeyEvent } from '../adapters/credentials/bearer.ts';
import { watchFile } from '../adapters/credentials/watched-file.ts';
import type { AccessOf } from '../adapters/http/authentication.ts';
import type { Access, Profiles } from '../domain/find/access.ts';
import type { Kinds } from '../domain/kinds.ts';
import { profileName, profileScope } from '../domain/scopes.ts';
import { describeCount } from '../domain/validation/describe-count.ts';
import { DomainError } from '../domain/validation/errors.ts';
import { suggest } from '../domain/validation/suggest.ts';
import { kindsOfSettings } from './declarations.ts';
import { parseProfiles } from './profile-file.ts';
import type { Settings } from './settings.ts';
import { nameSetting } from './sources.ts';

interface Reports {
  readonly onProblem: (message: string) => void;
  readonly onKeys?: (event: KeyEvent) => void;
}

export interface OpenProfiles extends Profiles {
  close(): void;
}

/** @throws SettingsError with all mistakes */
export function openProfiles(
  { access: { file }, keyFiles }: Pick<Settings, 'access' | 'keyFiles'>,
  kinds: Kinds,
  { onProblem, onKeys }: Reports,
): OpenProfiles {
  if (file === '') return { find: () => undefined, all: [], close: () => undefined };
  let last: readonly Access[] = [];
  const parse = (text: string) => {
    const found = parseProfiles(kinds, text);
    if (!(found instanceof Map)) throw new Error([...found].join(`; ${file}: `));
    last = [...found.values()];
    return found;
  };
  const watched = nameSetting('access.file (USERS_ACCESS_FILE)', () =>
    watchFile({
      ...{ file, parse, isPrivate: false, maxStaleSeconds: keyFiles.maxStale, onProblem, onKeys },
      afterwards: 'credentials with an access profile are refused until it is good again',
    }),
  );
  return {
    find(name) {
      const profiles = watched.current();
      if (profiles !== undefined) return profiles.get(name);
      throw new DomainError('unavailable', 'The access profiles are out of reach.');
    },
    get all() {
      watched.current();
      return last;
    },
    close: () => watched.close(),
  };
}

const refused = (message: string): DomainError => new DomainError('profile-refused', message);

/** Credentials whose profile can't be used are refused: they must never see everything by mistake. */
export function accessOf({ access }: Pick<Settings, 'access'>, profiles: Profiles): AccessOf {
  return ({ profile }) => {
    if (profile === undefined) {
      if (!access.requireProfile) return undefined;
      throw refused(
        `This service takes only credentials with an access profile: API keys with one, and tokens with a scope such as ${profileScope('phonebook')}.`,
      );
    }
    const found = profiles.find(profile);
    if (found !== undefined) return found;
    throw refused(
      access.file === ''
        ? 'The credentials have an access profile, but this service has none: USERS_ACCESS_FILE is not set where it runs.'
        : `This service has no access profile ${profileName.test(profile) ? profile : 'of this name'}.`,
    );
  };
}

/** The names that are in the file now. @throws SettingsError as `openProfiles` */
function readNames(settings: Settings): readonly string[] {
  const profiles = openProfiles(settings, kindsOfSettings(settings), { onProblem: () => undefined });
  profiles.close();
  return profiles.all.map(({ profile }) => profile);
}

/** For a command. @throws Error if the service would refuse new credentials with the profile, or without one */
export function assertUsable(settings: Settings, profile: string | undefined): void {
  const { file, requireProfile } = settings.access;
  const names = readNames(settings);
  if (profile === undefined && requireProfile)
    throw new Error('the service requires an access profile (USERS_ACCESS_REQUIRE_PROFILE): give --profile');
  if (profile === undefined || names.includes(profile)) return;
  throw new Error(
    file === ''
      ? 'set USERS_ACCESS_FILE to the file with the access profiles'
      : `${file} has no profile ${profile}${suggest(profile, names)}`,
  );
}

interface Inspected {
  /** For an operator. */
  readonly line: string;
  /** The API keys that are refused for their profile, or for having none, with the reason. */
  readonly refusedKeys: readonly string[];
}

/** @throws SettingsError as `openProfiles` */
export function inspectProfiles(settings: Settings): Inspected {
  const { file, requireProfile } = settings.access;
  const names = readNames(settings);
  const keys = existsSync(settings.apiKeys.file) ? listKeys(settings.apiKeys.file) : [];
  const explain = (profile: string | undefined): string => {
    if (profile === undefined) return 'it has no profile (USERS_ACCESS_REQUIRE_PROFILE)';
    return `there is no profile ${profile}${file === '' ? ' (USERS_ACCESS_FILE is not set)' : suggest(profile, names)}`;
  };
  const refusedKeys = keys
    .filter(({ profile }) => (profile === undefined ? requireProfile : !names.includes(profile)))
    .map(
      ({ id, fingerprint, profile }) => `the API key ${id} (${fingerprint}) is refused: ${explain(profile)}`,
    );
  const some = names.length === 0 ? '' : `: ${names.join(', ')}`;
  return { line: describeCount(names.length, 'profile', 'profiles') + some, refusedKeys };
}
