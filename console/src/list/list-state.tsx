import type { ListAddress } from '../address/address.ts';
import { changeList } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import { useScope } from '../session/use-scope.ts';

const isNarrowed = ({ search, filters }: ListAddress): boolean =>
  search !== '' || Object.keys(filters).length > 0;

/** In the place of rows, where there are none. */
export function EmptyList({ list }: { readonly list: ListAddress }) {
  const mayCreate = useScope('users:write');
  if (isNarrowed(list))
    return (
      <div class="empty">
        <h2>Nobody matches</h2>
        <p>Each word of a search has to begin a word of the user. Try fewer or shorter ones.</p>
        <Link class="button" list={changeList(list, { search: '', filters: {} })}>
          Show everybody
        </Link>
      </div>
    );
  if (Object.keys(list.cursor).length > 0)
    return (
      <div class="empty">
        <h2>Nobody is here any more</h2>
        <p>Everybody on this page has been deleted.</p>
        <Link class="button" list={changeList(list, {})}>
          To the first page
        </Link>
      </div>
    );
  return (
    <div class="empty">
      <h2>There are no users yet</h2>
      <p>Create the first one here, or let a client or your identity provider do it over the API.</p>
      {mayCreate && (
        <Link class="button primary" view={{ name: 'new' }}>
          Create a user
        </Link>
      )}
    </div>
  );
}
