import type { ComponentChildren } from 'preact';
import { useAnswer } from '../answers/use-answer.ts';
import { type Change, readHistory } from '../api/changes.ts';
import type { Tagged } from '../api/directory.ts';
import { Moment } from '../parts/moment.tsx';
import { refOf } from '../schema/kinds.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { Author, authorOf } from './author.tsx';

/** The maximum number of named authors, latest first. */
const maxNamed = 5;

/** The latest change of each author. */
function authorsSince(changes: readonly Change[], version: string): readonly Change[] {
  const updates = changes.filter(({ type }) => type.endsWith('.updated') || type.endsWith('.created'));
  const at = updates.findIndex((change) => change.version === version);
  const newer = at === -1 ? updates : updates.slice(0, at);
  const latest = new Map<string, Change>();
  for (const change of newer) if (!latest.has(authorOf(change))) latest.set(authorOf(change), change);
  return [...latest.values()].slice(0, maxNamed);
}

interface ChangedSinceProps {
  readonly base: Tagged;
  readonly theirs: Tagged;
  /** Without a history: the time of the last change. */
  readonly children: ComponentChildren;
}

function Authors({ base, theirs, children }: ChangedSinceProps) {
  const { value } = useAnswer({ of: refOf(theirs.resource), tag: theirs.tag }, ({ of }, signal) =>
    readHistory(of, { limit: 50 }, signal),
  );
  const authors = authorsSince(value?.changes ?? [], base.resource.meta.version);
  if (authors.length === 0) return children;
  return (
    <ul class="authors">
      {authors.map((change) => (
        <li key={change.cursor}>
          <Moment at={change.at} /> {texts.history.by} <Author change={change} />
        </li>
      ))}
    </ul>
  );
}

/** Who changed a resource since a version, and when, if the credentials allow to see it. */
export const ChangedSince = (props: ChangedSinceProps) =>
  useScope('history:read') ? <Authors {...props} /> : props.children;
