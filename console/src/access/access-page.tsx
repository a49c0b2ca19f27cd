/** What the credentials may do, and the command that makes such a key. */

import { FailureNotice } from '../answers/failure-notice.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { ask } from '../api/client.ts';
import { useTitle } from '../parts/brand.tsx';
import { Moment } from '../parts/moment.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { splitLines } from '../resource/lines.ts';
import { Shown } from '../resource/representation.tsx';
import { type KindName, kindNames, kinds } from '../schema/kinds.ts';
import { wordsOf } from '../schema/words.ts';
import { type Access, scopes, usableScopes } from '../session/scopes.ts';
import { texts } from '../texts/texts.ts';

const words = texts.session.access;

/** Names with spaces or other characters that a shell interprets. */
const quote = (text: string): string =>
  /^[\w.@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const commandFor = ({ client, scopes: held, profile }: Access): string =>
  `user-management api-key --id ${quote(client)} --scope "${held.join(' ')}"${profile ? ` --profile ${profile.name}` : ''}`;

const nameAll = (kind: KindName, paths: readonly string[]): string =>
  paths.map((path) => (path === '*' ? words.all : wordsOf(kind, path, '').label)).join(', ') ||
  texts.change.nothing;

interface OfKindProps {
  readonly kind: KindName;
  readonly profile: NonNullable<Access['profile']>;
}

/** What a profile shows of a kind, and lets change. */
function OfKind({ kind, profile }: OfKindProps) {
  const rights = profile[kinds[kind].plural];
  const rows: readonly (readonly [string, string])[] = rights
    ? [
        [words.which, rights.filtered ? words.some : words.all],
        [words.visible, nameAll(kind, rights.read)],
        ...(rights.except.length > 0 ? [[words.hidden, nameAll(kind, rights.except)] as const] : []),
        [words.writable, nameAll(kind, rights.write)],
        [words.create, texts.change.flags[`${rights.create}`]],
        [words.delete, texts.change.flags[`${rights.delete}`]],
      ]
    : [[words.which, texts.change.nothing]];
  return (
    <section class="panel" aria-labelledby={`access-${kind}`}>
      <h3 id={`access-${kind}`}>{texts.kinds[kind].plural}</h3>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function AccessPage() {
  useTitle('', words.title);
  const { value, failure, again } = useAnswer({}, (_, signal) =>
    ask('get', '/access', { signal }, (access) => access),
  );
  const usable = value ? usableScopes(value) : [];
  return (
    <main class="resource">
      <h1>{words.title}</h1>
      {failure && <FailureNotice failure={failure} retry={again} isAutomatic />}
      {value === undefined && <Skeleton rows={6} />}
      {value && (
        <>
          <p>
            <bdi class="strong">{value.client}</bdi> {value.expires ? words.until : words.endless}{' '}
            {value.expires && <Moment at={value.expires} />}
          </p>
          <ul class="scopes" aria-label={texts.session.scopes}>
            {scopes.map((scope) => {
              const isHeld = usable.includes(scope);
              return (
                <li key={scope} class={isHeld ? 'granted' : 'quiet'}>
                  {isHeld ? '✓' : '–'} {words.may[scope]}:{' '}
                  {isHeld ? texts.session.allowed : texts.session.notAllowed} <code>{scope}</code>
                </li>
              );
            })}
          </ul>
          {value.profile && (
            <>
              <h2>{words.profile(value.profile.name)}</h2>
              <div class="read-view">
                {kindNames.map(
                  (kind) => value.profile && <OfKind key={kind} kind={kind} profile={value.profile} />,
                )}
              </div>
            </>
          )}
          <h2>{words.key}</h2>
          <p>{words.keyText}</p>
          <Shown text={commandFor(value)} lines={splitLines} />
        </>
      )}
    </main>
  );
}
