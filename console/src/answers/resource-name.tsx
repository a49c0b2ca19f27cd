import { Link } from '../address/navigation.tsx';
import { readHistory } from '../api/changes.ts';
import type { Outcome } from '../api/client.ts';
import { readResource, type Tagged } from '../api/directory.ts';
import { type Ref, titleOf } from '../schema/kinds.ts';
import { scopeOf } from '../session/scopes.ts';
import { isPartShown, useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { useAnswer } from './use-answer.ts';

interface NameProps extends Ref {
  /** That is stored with the id. */
  readonly name?: string;
}

/** Links to the history, since the resource may have been deleted. */
const ById = ({ kind, id, name }: NameProps) => (
  <Link view={{ name: 'one', kind, id, tab: 'history' }}>{name ? <bdi>{name}</bdi> : <code>{id}</code>}</Link>
);

/** The latest change is the deletion, which has the last name of the resource. What an access profile hides has no page. */
function ByHistory({ name, ...of }: NameProps) {
  const { value, isBusy } = useAnswer(useScope('history:read') ? of : undefined, (question, signal) =>
    readHistory(question, { limit: 1 }, signal),
  );
  if (value === undefined && !isBusy && isPartShown(of.kind))
    return name ? <bdi>{name}</bdi> : <span class="quiet">{texts.session.notVisible}</span>;
  return <ById {...of} name={value?.changes[0]?.label ?? ''} />;
}

const underWay = new Map<string, Promise<Outcome<Tagged>>>();

/** Names that are shown together, such as the managers of all rows, share a request. */
export function readOnce(of: Ref): Promise<Outcome<Tagged>> {
  const key = `${of.kind} ${of.id}`;
  const reading = underWay.get(key) ?? readResource(of).finally(() => underWay.delete(key));
  underWay.set(key, reading);
  return reading;
}

function ByName(props: NameProps) {
  const { kind, id } = props;
  const { value, failure } = useAnswer({ kind, id }, readOnce);
  if (failure?.status === 404) return <ByHistory {...props} />;
  if (value === undefined) return <ById {...props} />;
  return (
    <Link view={{ name: 'one', kind, id }}>
      <bdi>{titleOf(value.resource)}</bdi>
    </Link>
  );
}

/** A user or a group by its name, or by its id if the name cannot be read. */
export const ResourceName = (props: NameProps) =>
  useScope(scopeOf(props.kind, 'read')) ? <ByName {...props} /> : <ById {...props} />;
