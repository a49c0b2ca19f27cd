import { type ActivityView, wholeActivity } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { type Change, readActivity } from '../api/changes.ts';
import { deletions } from '../history/activity-filters.tsx';
import { authorOf } from '../history/author.tsx';
import { ChangedName } from '../history/change-view.tsx';
import { Moment } from '../parts/moment.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Allowed } from '../session/not-allowed.tsx';
import { texts } from '../texts/texts.ts';

/** In one list; the activity has all. */
const shown = 6;

const Line = ({ change }: { readonly change: Change }) => (
  <li class="latest">
    <span>
      {texts.history.types[change.type] ?? change.type}: <ChangedName change={change} />
    </span>
    <span class="quiet small">
      <Moment at={change.at} /> {texts.history.by} <bdi>{authorOf(change)}</bdi>
    </span>
  </li>
);

interface LatestProps {
  readonly title: string;
  readonly view: ActivityView;
}

function Lines({ view }: Pick<LatestProps, 'view'>) {
  const { types } = view;
  const { value, failure } = useAnswer({ types }, (_, signal) =>
    readActivity({ limit: shown, ...(types.length > 0 && { type: [...types] as never }) }, signal),
  );
  if (failure !== undefined) return <p class="quiet">{failure.title}</p>;
  if (value === undefined) return <Skeleton rows={shown} />;
  if (value.changes.length === 0)
    return <p class="quiet">{types.length > 0 ? texts.history.noneDeleted : texts.history.noneKept}</p>;
  return (
    <ul>
      {value.changes.map((change) => (
        <Line key={change.cursor} change={change} />
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
