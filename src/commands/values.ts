/** Parses the values of options and arguments. Errors are commander's, which name the option. */

import { InvalidArgumentError } from 'commander';
import { parseBooleans } from '../adapters/formats/csv/cells.ts';
import { profileName, type Scope, scopes } from '../domain/scopes.ts';
import { NeededOption } from './command-line.ts';
import { standardStream } from './files/target.ts';

/** For an option that may be given once: commander would silently take the last value. */
export const refuseRepeated =
  <T>(read: (text: string) => T) =>
  (text: string, previous: T | undefined): T => {
    if (previous !== undefined) throw new InvalidArgumentError('Give this option only once.');
    return read(text);
  };

/** Any text that isn't empty. An option in place of a value means that the value is missing; commander would take it for the value. */
export function readText(text: string): string {
  if (text === '') throw new InvalidArgumentError('The value is empty.');
  if (text.startsWith('-'))
    throw new InvalidArgumentError('The value is missing: the next word begins with a dash.');
  return text;
}

/** As `readText`, or `-` alone: standard input or output. */
export const readPath = (text: string): string => (text === standardStream ? text : readText(text));

/** One of several names. */
export const readOneOf =
  <Name extends string>(names: readonly Name[]) =>
  (text: string): Name => {
    const found = names.find((name) => name === text);
    if (found === undefined) throw new InvalidArgumentError(`Choose one of ${names.join(', ')}.`);
    return found;
  };

/** Adds `Heading=column` to `previous`, or `Heading=` to ignore a column. */
export function readMapping(
  text: string,
  previous: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const at = text.lastIndexOf('=');
  const heading = text.slice(0, Math.max(0, at)).trim();
  if (heading === '') throw new InvalidArgumentError('Write it as HEADING=COLUMN.');
  if (previous.has(heading)) throw new InvalidArgumentError('This heading is mapped twice.');
  return new Map([...previous, [heading, text.slice(at + 1).trim()]]);
}

/** Two words such as `ja/nein`; in `x/`, an empty cell means false. */
export function readBooleans(text: string): readonly [string, string] {
  const words = parseBooleans(text);
  if (words === undefined) throw new InvalidArgumentError('Write two words as TRUE/FALSE.');
  return words;
}

/** Adds what `text` names, separated by spaces or commas, to `previous`. */
function readScopes(text: string, previous: readonly Scope[] = []): readonly Scope[] {
  const asked = text.split(/[ ,]+/).filter((name) => name !== '');
  const unknown = asked.find((name) => !scopes.some((scope) => scope === name));
  if (unknown !== undefined || asked.length === 0)
    throw new InvalidArgumentError(
      `${unknown === undefined ? 'Name a scope' : `${unknown} is not a scope`}; scopes are ${scopes.join(' ')}.`,
    );
  return scopes.filter((scope) => previous.includes(scope) || asked.includes(scope));
}

export function readProfile(text: string): string {
  if (profileName.test(text)) return text;
  throw new InvalidArgumentError('Names of profiles have up to 64 lower-case letters, digits and -.');
}

/** The effect of `--profile`. */
export const profileLimit =
  'limits what the client sees and may write, in addition to its scopes; defined in USERS_ACCESS_FILE';

export const scopeOption = (): NeededOption =>
  new NeededOption('--scope <scopes>', `scopes to grant, from "${scopes.join(' ')}"`).argParser(readScopes);
