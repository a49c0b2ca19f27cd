/** `api-key --id NAME --scope "users:read"` creates an API key and shows it once, in both forms; `list` and `revoke` manage the keys. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { contractVersions } from '../adapters/contracts/versions.ts';
import {
  addKey,
  bearerSecretOf,
  fingerprintOf,
  type KeySelection,
  type ListedKey,
  listKeys,
  type NewKey,
  revokeKeys,
} from '../adapters/credentials/api-keys/change-keys.ts';
import { wordsOf } from '../adapters/system/program.ts';
import { assertUsable } from '../config/access.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import type { Scope } from '../domain/scopes.ts';
import { instantOf } from '../domain/validation/plain-values.ts';
import { type CommandLine, exitCodes, NeededOption, printLines } from './command-line.ts';
import { profileLimit, readOneOf, readProfile, readText, refuseRepeated, scopeOption } from './values.ts';

const fileVariable = 'USERS_API_KEYS_FILE';

async function keyFile(check: (settings: Settings) => void = () => undefined): Promise<string> {
  const settings = await loadSettings();
  const { apiKeys } = settings;
  check(settings);
  if (apiKeys.file === '') throw new Error(`set ${fileVariable} to the file for the keys`);
  return apiKeys.file;
}

function readEnd(text: string): Date {
  const end = instantOf(text);
  if (end === undefined)
    throw new InvalidArgumentError('Give a date and time with a zone, such as 2030-01-01T00:00:00Z.');
  if (end.getTime() <= Date.now())
    throw new InvalidArgumentError('This time is in the past: the key would never be valid.');
  return end;
}

/** RFC 6750 §2.1. Other characters work here, but another program may refuse or change them. */
const isBearerToken = (text: string): boolean => /^[A-Za-z0-9._~+/-]+=*$/.test(text);

/** What an operator must know about a new key, in lines. @param isFirst whether the file was created for it */
function* adviseOn(file: string, isFirst: boolean, secret: string, bearer: string): Generator<string> {
  yield 'The first line is for Basic, the second for Bearer, as identity providers send it.';
  if (!isBearerToken(bearer))
    yield 'Not every client can send this name with Bearer: letters, digits and -._~+/ are safe.';
  // A variable may be set for this command only; a file of settings applies to the service as well.
  if (process.env[fileVariable]) yield `The service accepts it when it runs with ${fileVariable}=${file}`;
  if (isFirst)
    yield `Warning: ${file} is a new file. A service with another file of keys does not accept this key.`;
  const revocation = `${wordsOf('api-key')} revoke --key ${fingerprintOf(secret)}`;
  yield `The key is not printed again. If it is lost, add another one under its name, then revoke it: ${revocation}`;
}

async function add({
  id,
  scope,
  expires,
  contract,
  profile,
}: Omit<NewKey, 'scopes'> & { readonly scope: readonly Scope[] }): Promise<[basic: string, bearer: string]> {
  const file = resolve(
    await keyFile((settings) => {
      // Without the setting, the file may be one of the service alone.
      if (settings.access.file !== '') assertUsable(settings, profile);
    }),
  );
  const isFirst = !existsSync(file);
  const secret = addKey(file, { id, scopes: scope, expires, contract, profile });
  const bearer = bearerSecretOf(id, secret);
  for (const line of adviseOn(file, isFirst, secret, bearer)) process.stderr.write(`${line}\n`);
  return [`${id}:${secret}`, bearer];
}

function describeKey({ fingerprint, id, scopes, expires, contract, profile }: ListedKey): string {
  const verb = expires !== undefined && expires.getTime() <= Date.now() ? 'expired' : 'until';
  const end = expires === undefined ? 'never expires' : `${verb} ${expires.toISOString()}`;
  const pin = contract === undefined ? [] : [`contract ${contract}`];
  const limit = profile === undefined ? [] : [`profile ${profile}`];
  return [fingerprint, id, scopes.join(' '), end, ...pin, ...limit].join('\t');
}

const list = async (): Promise<string[]> => listKeys(await keyFile()).map(describeKey);

interface RevokeOptions {
  readonly id?: string;
  readonly key?: string;
}

async function revoke({ id, key }: RevokeOptions, command: CommandLine): Promise<string[]> {
  if (id === undefined && key === undefined) command.error('error: neither --id nor --key is given');
  const selection: KeySelection = { id, fingerprint: key };
  return revokeKeys(await keyFile(), selection).map((revoked) => `revoked\t${describeKey(revoked)}`);
}

const failure = 'Not done';
const failed = { [exitCodes.failed]: `failed; the file named by ${fileVariable} is unchanged` };

export function register(command: CommandLine): void {
  command.describeExitCodes({ [exitCodes.done]: 'done', ...failed });
  command
    .command('add')
    .description(
      'create a key (default) and print it once: NAME:SECRET for Basic, then NAME.SECRET for Bearer',
    )
    .addOption(
      new NeededOption('--id <name>', 'name of the client; several keys may share it').argParser(
        refuseRepeated(readText),
      ),
    )
    .addOption(scopeOption())
    .option('--expires <time>', 'end of its validity, such as 2030-01-01T00:00:00Z', refuseRepeated(readEnd))
    .option(
      '--contract <version>',
      `pin the client to a version of the contract (${contractVersions.join(', ')}): it sees no later members`,
      refuseRepeated(readOneOf(contractVersions)),
    )
    .option('--profile <name>', `access profile: ${profileLimit}`, refuseRepeated(readProfile))
    .describeExitCodes({ [exitCodes.done]: 'the key is on standard output and valid from now on', ...failed })
    .action(printLines(failure, add));
  command
    .command('list')
    .description(
      'print fingerprint, name, scopes, expiry, pinned version and access profile of each key, without secrets',
    )
    .describeExitCodes({ [exitCodes.done]: 'done', ...failed })
    .action(printLines(failure, list));
  command
    .command('revoke')
    .description('revoke keys by name, fingerprint or both')
    .option('--id <name>', 'name of the client', refuseRepeated(readText))
    .option('--key <fingerprint>', 'as printed by api-key list', refuseRepeated(readText))
    .describeExitCodes({ [exitCodes.done]: 'the printed keys are no longer valid', ...failed })
    .action(printLines(failure, revoke));
}
