import { Icon } from '../parts/icons.tsx';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { Link, useOrigin } from './navigation.tsx';

/** Links back to the unchanged origin: the list, the group with the list of members, or the activity. */
export function BackToList({ kind }: { readonly kind: KindName }) {
  const view = useOrigin() ?? ({ name: 'list', kind } as const);
  const place = view.name === 'one' ? 'group' : 'kind' in view ? 'list' : view.name;
  return (
    <Link class="back" view={view}>
      <Icon name="back" /> {texts.resource.back[place]}
    </Link>
  );
}
