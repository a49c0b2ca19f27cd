import { Link } from '../address/navigation.tsx';
import { readHistory } from '../api/changes.ts';
import type { Outcome } from '../api/client.ts';
import { readResource, type Tagged } from '../api/directory.ts';
import { type Ref, titleOf } from '../schema/kinds.ts';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { useAnswer } from './use-answer.ts';

/** Links to the history, since the resource may have been deleted. */
const ById = ({ kind, id, name }: Ref & { readonly name?: string | undefined }) => (
  <Link view={{ name: 'one', kind, id, tab: 'history' }}>
    {name === undefined ? <code>{id}</code> : <bdi>{name}</bdi>}
  </Link>
);

/** The latest change is the deletion, which has the last name of the resource. */
function ByHistory({ kind, id }: Ref) {
  const { value } = useAnswer({ kind, id }, (of, signal) => readHistory(of, { limit: 1 }, signal));
  return <ById kind={kind} id={id} name={value?.changes[0]?.label} />;
}

const underWay = new Map<string, Promise<Outcome<Tagged>>>();

/** Names that are shown together, such as the managers of all rows, share a request. */
function readOnce(of: Ref): Promise<Outcome<Tagged>> {
  const key = `${of.kind} ${of.id}`;
  const reading = underWay.get(key) ?? readResource(of).finally(() => underWay.delete(key));
  underWay.set(key, reading);
  return reading;
}

function ByName(props: Ref) {
  const { value, failure } = useAnswer(props, readOnce);
  const mayAskHistory = useScope('history:read');
  if (failure?.status === 404 && mayAskHistory) return <ByHistory {...props} />;
  if (value === undefined) return <ById {...props} />;
  return (
    <Link view={{ name: 'one', ...props }}>
      <bdi>{titleOf(value.resource)}</bdi>
    </Link>
  );
}

/** A user or a group by its name, or by its id if the name cannot be read. */
export const ResourceName = ({ kind, id }: Ref) =>
  useScope(scopeOf(kind, 'read')) ? <ByName kind={kind} id={id} /> : <ById kind={kind} id={id} />;
