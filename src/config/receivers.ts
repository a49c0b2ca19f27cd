/** The file of receivers of webhooks (the setting `webhooks.file`), read again when it changes. */

import { watchFile } from '../adapters/credentials/watched-file.ts';
import { parseReceivers, type Receiver } from '../adapters/webhooks/receivers.ts';
import { changeTypesOf } from '../domain/changes/change.ts';
import { kindsOf } from '../domain/kinds.ts';
import { assertUsable } from './access.ts';
import type { Settings } from './settings.ts';
import { nameSetting, SettingsError } from './sources.ts';

export interface WatchedReceivers {
  /** Undefined while the file has been gone or damaged for longer than `keyFiles.maxStale`. */
  current(): readonly Receiver[] | undefined;
  close(): void;
}

/** @param onProblem called with a line for the log @returns undefined without a file @throws SettingsError with a line for each mistake */
export function watchReceivers(
  settings: Settings,
  onProblem: (problem: string) => void,
): WatchedReceivers | undefined {
  const { webhooks, keyFiles } = settings;
  const { file } = webhooks;
  // Checked at the start only. Later, the file of profiles may change after this one, and the deliverer waits for a missing profile.
  let assertProfile = (profile: string): void => assertUsable(settings, profile);
  if (file === '') return undefined;
  const types = changeTypesOf(kindsOf().all);
  const watched = nameSetting('webhooks.file (USERS_WEBHOOKS_FILE)', () =>
    watchFile({
      file,
      parse: (text) => parseReceivers(text, { file, types, assertProfile }),
      isPrivate: true,
      namesFiles: true,
      maxStaleSeconds: keyFiles.maxStale,
      onProblem,
    }),
  );
  assertProfile = () => undefined;
  return watched;
}

/** Once. @throws SettingsError as `watchReceivers`, and without a file */
export function readReceivers(settings: Settings): readonly Receiver[] {
  const watched = watchReceivers(settings, () => undefined);
  const receivers = watched?.current();
  watched?.close();
  if (receivers === undefined) throw new SettingsError('set USERS_WEBHOOKS_FILE to the file of receivers');
  return receivers;
}
