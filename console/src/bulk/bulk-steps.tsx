/** The steps of a change for many: asking first, how far it is, and what came of it. */
import { useState } from 'preact/hooks';
import { Link } from '../address/navigation.tsx';
import type { User } from '../api/directory.ts';
import { countUsersIn, printNumber } from '../parts/numbers.ts';
import type { BulkAction, BulkResult } from './run-bulk.ts';

export interface ActionWords {
  readonly title: string;
  readonly about: string;
  readonly button: string;
}

export const words: Readonly<Record<BulkAction, ActionWords>> = {
  activate: { title: 'Activate', about: 'They may be let in again.', button: 'Activate' },
  deactivate: {
    title: 'Deactivate',
    about: 'They are kept, and not to be let in any more.',
    button: 'Deactivate',
  },
  delete: {
    title: 'Delete',
    about: 'They are deleted for good. To take access away and keep them, deactivate instead.',
    button: 'Delete for good',
  },
};

const Names = ({ users }: { readonly users: readonly User[] }) => (
  <ul class="names">
    {users.map(({ id, userName }) => (
      <li key={id}>
        <bdi>{userName}</bdi>
      </li>
    ))}
  </ul>
);

export interface StepProps {
  readonly action: BulkAction;
  readonly users: readonly User[];
}

interface ConfirmProps extends StepProps {
  readonly onStart: () => void;
  readonly onClose: () => void;
}

export function Confirm({ action, users, onStart, onClose }: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const { about, button } = words[action];
  const isDelete = action === 'delete';
  const isReady = !isDelete || typed.trim() === String(users.length);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onStart();
      }}
    >
      <p>{about}</p>
      <Names users={users} />
      {isDelete && (
        <label class="field">
          <span>Type how many they are ({users.length}) to confirm</span>
          <input
            value={typed}
            inputMode="numeric"
            autocomplete="off"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="actions">
        <button type="submit" class={isDelete ? 'danger primary' : 'primary'} disabled={!isReady}>
          {button}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface ProgressProps {
  readonly total: number;
  readonly results: readonly BulkResult[];
  readonly isStopping: boolean;
  readonly onStop: () => void;
}

export const Progress = ({ total, results, isStopping, onStop }: ProgressProps) => (
  <>
    <progress max={total} value={results.length} aria-label="Progress" />
    <p role="status">
      {printNumber(results.length)} of {printNumber(total)}
    </p>
    <div class="actions">
      <button type="button" disabled={isStopping} onClick={onStop}>
        {isStopping ? 'Stopping…' : 'Stop'}
      </button>
    </div>
  </>
);

interface ReportProps {
  readonly users: readonly User[];
  readonly results: readonly BulkResult[];
  readonly onClose: () => void;
}

const failuresOf = (results: readonly BulkResult[]): readonly BulkResult[] =>
  results.filter(({ reason }) => reason !== '');

/** `3 users done, 1 failed, 2 not begun.` */
export function summarize(users: readonly User[], results: readonly BulkResult[]): string {
  const failed = failuresOf(results).length;
  const left = users.length - results.length;
  const parts = [`${countUsersIn(results.length - failed)} done`];
  if (failed > 0) parts.push(`${printNumber(failed)} failed`);
  if (left > 0) parts.push(`${printNumber(left)} not begun`);
  return `${parts.join(', ')}.`;
}

export function Report({ users, results, onClose }: ReportProps) {
  const failed = failuresOf(results);
  const left = users.length - results.length;
  return (
    <>
      <p role="status">{summarize(users, results)}</p>
      {failed.length > 0 && (
        <ul class="failures">
          {failed.map(({ user, reason }) => (
            <li key={user.id}>
              <Link view={{ name: 'user', id: user.id }}>
                <bdi>{user.userName}</bdi>
              </Link>
              <span>{reason}</span>
            </li>
          ))}
        </ul>
      )}
      {failed.length + left > 0 && <p class="quiet">Those that are not done stay selected.</p>}
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  );
}
