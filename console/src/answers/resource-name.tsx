import { Link } from '../address/navigation.tsx';
import { readResource } from '../api/directory.ts';
import { type Ref, titleOf } from '../schema/kinds.ts';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { useAnswer } from './use-answer.ts';

/** Leads to the history, since the resource may have been deleted. */
const ById = ({ kind, id }: Ref) => (
  <Link view={{ name: 'one', kind, id, tab: 'history' }}>
    <code>{id}</code>
  </Link>
);

function ByName(props: Ref) {
  const { value } = useAnswer(props, readResource);
  if (value === undefined) return <ById {...props} />;
  return (
    <Link view={{ name: 'one', ...props }}>
      <bdi>{titleOf(value.resource)}</bdi>
    </Link>
  );
}

/** A user or a group by its name now, as far as it can be read; else by its id. */
export const ResourceName = ({ kind, id }: Ref) =>
  useScope(scopeOf(kind, 'read')) ? <ByName kind={kind} id={id} /> : <ById kind={kind} id={id} />;
