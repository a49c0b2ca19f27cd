import { Link, wholeListOf } from '../address/navigation.tsx';
import { ResourceName } from '../answers/resource-name.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { countResources } from '../api/directory.ts';
import { TimeValue } from '../form/day-control.tsx';
import { printNumber } from '../language.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { nameOf, titleOf, type User } from '../schema/kinds.ts';
import { wordsOf } from '../schema/words.ts';
import { isPartShown, useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

export const StatusPill = ({ isActive }: { readonly isActive: boolean }) => (
  <span class={`pill ${isActive ? 'on' : 'off'}`}>{texts.list.status[`${isActive}`]}</span>
);

/** A person without an id: for an access profile that hides users, it may be one of these. */
export const TextName = ({ name }: { readonly name: string }) => (
  <span>
    <bdi>{name}</bdi> {!isPartShown('user') && <span class="quiet">{texts.form.noUser}</span>}
  </span>
);

function Manager({ enterprise }: User) {
  const { value = '', displayName = '' } = enterprise?.manager ?? {};
  if (value + displayName === '') return null;
  return (
    <span>
      {wordsOf('user', 'enterprise.manager', '').label}{' '}
      {value === '' ? (
        <TextName name={displayName} />
      ) : (
        <ResourceName kind="user" id={value} name={displayName} />
      )}
    </span>
  );
}

/** The users who report to a user, if there are any. */
function Reports({ user }: { readonly user: User }) {
  const question = { kind: 'user', query: { manager: user.id } } as const;
  const { value = 0 } = useAnswer(useScope('users:read') ? question : undefined, countResources);
  if (value === 0) return null;
  return (
    <Link
      view={{ name: 'list', kind: 'user' }}
      list={{ ...wholeListOf('user'), filters: { manager: user.id } }}
    >
      {texts.resource.reports(printNumber(value))}
    </Link>
  );
}

/** Validity that is over or to come; a day where it begins or ends with one. */
function Validity({ user }: { readonly user: User }) {
  return (['validFrom', 'validUntil'] as const).map((name) => {
    const at = user[name];
    if (at === undefined) return null;
    return (
      <span key={name}>
        {wordsOf('user', name, '').label} <TimeValue name={name} at={at} />
      </span>
    );
  });
}

/** The URL schemes that open the items of a list. */
const schemes: Readonly<Record<string, string>> = { emails: 'mailto', phoneNumbers: 'tel' };

/** A link that writes an email, or calls. RFC 3966: no spaces. */
export function Address({ path, value }: { readonly path: string; readonly value: string }) {
  const scheme = schemes[path];
  return (
    <bdi class="value-text">
      {scheme ? <a href={`${scheme}:${value.replace(/\s/g, '')}`}>{value}</a> : value}
    </bdi>
  );
}

/** Who it is, below the name: the job, then how to reach the person. */
export function Summary({ user }: { readonly user: User }) {
  const { title, enterprise } = user;
  const job = [title, enterprise?.department].filter(Boolean);
  return (
    <>
      {job.length > 0 && <p>{job.map((word, at) => [at > 0 && ' · ', <bdi key={word}>{word}</bdi>])}</p>}
      <p class="quiet small facts">
        {titleOf(user) !== nameOf(user) && <bdi>{nameOf(user)}</bdi>}
        {(['emails', 'phoneNumbers'] as const).map((path) => {
          const { value } = user[path]?.find(({ primary }) => primary) ?? user[path]?.[0] ?? {};
          return (
            value && (
              <span key={path}>
                <Address path={path} value={value} /> <CopyButton text={value} name={`${value}: `} />
              </span>
            )
          );
        })}
        <Manager {...user} />
        <Reports user={user} />
        <Validity user={user} />
      </p>
    </>
  );
}
