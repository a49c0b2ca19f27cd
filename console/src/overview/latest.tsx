import { type ActivityView, wholeActivity } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { readActivity } from '../api/changes.ts';
import { DaysOf } from '../form/day-control.tsx';
import { authorOf } from '../history/author.tsx';
import { ChangeSummary, daysOf, SharedChange } from '../history/change-summary.tsx';
import { type ChangeViewProps, Whom } from '../history/change-view.tsx';
import { deletions, dropRestored, typesToRead } from '../history/deletions.ts';
import { toLines } from '../history/history-list.tsx';
import { Moment } from '../parts/moment.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Allowed } from '../session/not-allowed.tsx';
import { texts } from '../texts/texts.ts';

/** Lines in one list; the activity has all. */
const shown = 6;
/** Changes that are read for them: many may be of one operation. */
const read = 50;

/** What has changed, of whom. */
function Line({ changes }: Pick<ChangeViewProps, 'changes'>) {
  const [change] = changes;
  return (
    <li class="latest">
      <span class="what">
        <DaysOf.Provider value={daysOf(change)}>
          <Whom changes={changes} />{' '}
          {changes.length > 1 ? <SharedChange changes={changes} /> : <ChangeSummary change={change} />}
        </DaysOf.Provider>
      </span>
      <span class="quiet small">
        <Moment at={change.at} /> {texts.history.by} <bdi>{authorOf(change)}</bdi>
      </span>
    </li>
  );
}

interface LatestProps {
  readonly title: string;
  readonly view: ActivityView;
}

function Lines({ view }: Pick<LatestProps, 'view'>) {
  const { types } = view;
  const { value, failure } = useAnswer({ types }, (_, signal) =>
    readActivity(
      { limit: read, ...(types.length > 0 && { type: [...typesToRead(types)] as never }) },
      signal,
    ),
  );
  if (failure !== undefined) return <p class="quiet">{failure.title}</p>;
  if (value === undefined) return <Skeleton rows={shown} />;
  const changes = dropRestored(types, value.changes);
  if (changes.length === 0)
    return <p class="quiet">{types.length > 0 ? texts.history.noneDeleted : texts.history.noneKept}</p>;
  return (
    <ul>
      {toLines(changes, true)
        .slice(0, shown)
        .map((changes) => (
          <Line key={changes[0].cursor} changes={changes} />
        ))}
    </ul>
  );
}

/** The newest changes of a part of the activity. */
const Part = ({ title, view }: LatestProps) => (
  <section class="panel" aria-label={title}>
    <h2>
      <Link view={view}>{title}</Link>
    </h2>
    <Lines view={view} />
  </section>
);

export const Latest = () => (
  <Allowed scope="history:read">
    <div class="read-view">
      <Part title={texts.page.overview.changes} view={wholeActivity} />
      <Part title={texts.page.overview.deletions} view={{ ...wholeActivity, types: deletions }} />
    </div>
  </Allowed>
);
