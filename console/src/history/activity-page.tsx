import { useRef } from 'preact/hooks';
import type { ActivityView } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import { type ActivityQuery, readActivity } from '../api/changes.ts';
import { startOfDay } from '../language.ts';
import { useTitle } from '../parts/brand.tsx';
import { Allowed } from '../session/not-allowed.tsx';
import { texts } from '../texts/texts.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { authorOf } from './author.tsx';
import { areDeletions, deletions, dropRestored, typesToRead } from './deletions.ts';
import { HistoryList } from './history-list.tsx';
import { useHistory } from './use-history.ts';

const pageSize = 50;

/** A filter without values is not sent. */
const only = (value: string): string[] => (value === '' ? [] : [value]);

function queryOf({ types, changed, label, id, by, request, from, to }: ActivityView): ActivityQuery {
  const [first, last] = [startOfDay(from), startOfDay(to, 1)];
  return {
    limit: pageSize,
    type: typesToRead(types),
    changed: only(changed),
    id: only(id),
    by: only(by),
    request: only(request),
    ...(label !== '' && { label }),
    ...(first !== undefined && { from: first }),
    ...(last !== undefined && { to: last }),
  };
}

/** The message without filters: nothing has happened yet, or it was too long ago. */
function describeNone(view: ActivityView): string {
  const { name: _name, types, ...others } = view;
  if (Object.values(others).join('') !== '') return texts.history.noneFound;
  if (areDeletions(types)) return texts.history.noneDeleted;
  return types.length > 0 ? texts.history.noneFound : texts.history.noneKept;
}

interface ActivityPageProps {
  readonly view: ActivityView;
}

function Activity({ view }: ActivityPageProps) {
  const query = queryOf(view);
  const read = useHistory(JSON.stringify(query), (after, signal) =>
    readActivity({ ...query, ...(after !== undefined && { after }) }, signal),
  );
  const isFiltered = Object.keys(query).length > 1;
  const history = { ...read, isFiltered, changes: dropRestored(view.types, read.changes) };
  // Keeps authors that a later filter excludes.
  const authors = useRef(new Set<string>()).current;
  for (const change of history.changes) authors.add(authorOf(change));
  return (
    <>
      <ActivityFilters view={view} authors={[...authors].sort()} />
      <HistoryList
        history={history}
        none={describeNone(view)}
        isNamed
        isWhole={view.request !== ''}
        onChanged={history.again}
      />
    </>
  );
}

/** All changes of users and groups, those of an operation, or all deletions, the newest first. */
export function ActivityPage(props: ActivityPageProps) {
  const { view } = props;
  const tabs: readonly (readonly [string, ActivityView])[] = [
    [texts.history.all, { ...view, types: [], request: '' }],
    [texts.history.isGone, { ...view, types: deletions, changed: '', request: '' }],
    [texts.history.one, view],
  ];
  const current = view.request !== '' ? 2 : Number(areDeletions(view.types));
  const title = tabs[current]?.[0] ?? '';
  useTitle('', current > 0 ? title : texts.history.activity);
  return (
    <main class="resource">
      <h1>{texts.history.activity}</h1>
      <nav class="tabs" aria-label={texts.list.views.title}>
        {tabs.slice(0, view.request === '' ? 2 : 3).map(([name, to], at) => (
          <Link key={name} view={to} isCurrent={at === current}>
            {name}
          </Link>
        ))}
      </nav>
      <h2 class="unseen">{title}</h2>
      <Allowed scope="history:read">
        <Activity {...props} />
      </Allowed>
    </main>
  );
}
