import { type Tab, tabsOf } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { countResources } from '../api/directory.ts';
import { printNumber } from '../language.ts';
import { kindOf, type Resource, refOf } from '../schema/kinds.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

interface TabsProps {
  readonly resource: Resource;
  readonly tab: Tab | undefined;
  /** Another one: memberships have changed. */
  readonly round: number;
}

/** Members of a group, groups of a user. */
function useCounts({
  resource,
  round,
}: Pick<TabsProps, 'resource' | 'round'>): Readonly<Record<string, number | undefined>> {
  const isCounted = useScope('groups:read') && 'userName' in resource;
  const question = isCounted
    ? ({ kind: 'group', query: { member: resource.id }, round } as const)
    : undefined;
  const { value } = useAnswer(question, countResources);
  return { groups: value, first: 'userName' in resource ? undefined : resource.memberCount };
}

/** The views of a resource. The form replaces the values as text. */
export function Tabs({ resource, tab, round }: TabsProps) {
  const kind = kindOf(resource);
  const counts = useCounts({ resource, round });
  const shown = tab !== 'edit' ? tab : kind === 'user' ? undefined : 'details';
  const labels = texts.resource.tabs[kind];
  return (
    <nav class="tabs" aria-label={texts.list.views.title}>
      {[undefined, ...tabsOf[kind]].map((one) => {
        const count = counts[one ?? 'first'];
        const label = labels[one ?? 'first'];
        return (
          label !== undefined && (
            <Link
              key={one}
              view={{ name: 'one', ...refOf(resource), ...(one && { tab: one }) }}
              isCurrent={shown === one}
            >
              {label}
              {count === undefined ? '' : ` (${printNumber(count)})`}
            </Link>
          )
        );
      })}
    </nav>
  );
}
