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

function queryOf({ types, changed, label, id, by, from, to }: ActivityView): ActivityQuery {
  const [first, last] = [startOfDay(from), startOfDay(to, 1)];
  return {
    limit: pageSize,
    ...(types.length > 0 && { type: [...typesToRead(types)] as NonNullable<ActivityQuery['type']> }),
    ...(changed !== '' && { changed: [changed] }),
    ...(label !== '' && { label }),
    ...(id !== '' && { id: [id] }),
    ...(by !== '' && { by: [by] }),
    ...(first !== undefined && { from: first }),
    ...(last !== undefined && { to: last }),
  };
}

/** The message without filters: nothing has happened yet, or it was too long ago. */
function describeNone(view: ActivityView): string {
  const { types, changed, label, id, by, from, to } = view;
  if (changed + label + id + by + from + to !== '') return texts.history.noneFound;
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
      <HistoryList history={history} none={describeNone(view)} isNamed onChanged={history.again} />
    </>
  );
}

/** All changes of users and groups, or all deletions, the newest first. */
export function ActivityPage(props: ActivityPageProps) {
  const { view } = props;
  const isDeleted = areDeletions(view.types);
  useTitle('', isDeleted ? texts.history.isGone : texts.history.activity);
  return (
    <main class="resource">
      <h1>{texts.history.activity}</h1>
      <nav class="tabs" aria-label={texts.list.views.title}>
        <Link view={{ ...view, types: [] }} isCurrent={!isDeleted}>
          {texts.history.all}
        </Link>
        <Link view={{ ...view, types: deletions, changed: '' }} isCurrent={isDeleted}>
          {texts.history.isGone}
        </Link>
      </nav>
      <h2 class="unseen">{isDeleted ? texts.history.isGone : texts.history.all}</h2>
      <Allowed scope="history:read">
        <Activity {...props} />
      </Allowed>
    </main>
  );
}
