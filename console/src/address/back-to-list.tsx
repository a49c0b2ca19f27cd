import { Icon } from '../parts/icons.tsx';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { Link } from './navigation.tsx';

/** To the list as it was left. */
export const BackToList = ({ kind }: { readonly kind: KindName }) => (
  <Link class="back" view={{ name: 'list', kind }}>
    <Icon name="back" /> {texts.resource.toList}
  </Link>
);
