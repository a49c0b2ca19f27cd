import { Link } from '../address/navigation.tsx';
import type { Ref } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';

interface TabsProps {
  readonly of: Ref;
  readonly isHistory: boolean;
}

/** The form of a resource, and its history. */
export const Tabs = ({ of, isHistory }: TabsProps) => (
  <nav class="tabs" aria-label={texts.history.views}>
    <Link view={{ name: 'one', ...of }} isCurrent={!isHistory}>
      {texts.history.form}
    </Link>
    <Link view={{ name: 'one', ...of, tab: 'history' }} isCurrent={isHistory}>
      {texts.history.title}
    </Link>
  </nav>
);
