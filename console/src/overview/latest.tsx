import type { ComponentChildren } from 'preact';
import { type ActivityView, wholeActivity } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import {
  type ActivityQuery,
  type Change,
  type HistoryPage,
  kindOfChange,
  readActivity,
} from '../api/changes.ts';
import type { Outcome } from '../api/client.ts';
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

const words = texts.page.overview;

/** Lines in one list; the activity page has all. */
const shown = 6;
/** Changes that are read to fill these lines: one line may stand for many changes of one operation. */
const read = 50;
/** The largest page, for imports, and how many users of one are counted. */
const [largest, most] = [100, 1000];

type Line = ChangeViewProps['changes'];

/** Whether the log may have more changes of the line, which were not read. */
const isCut = (line: Line, { changes, more }: HistoryPage): boolean =>
  more && line.includes(changes.at(-1) as Change);

interface LinesProps {
  readonly lines: readonly Line[];
  /** What was done. */
  readonly say: (line: Line) => ComponentChildren;
}

/** What was done, when and by whom. */
const Lines = ({ lines, say }: LinesProps) => (
  <ul>
    {lines.slice(0, shown).map((line) => (
      <li key={line[0].cursor} class="latest">
        <span class="what">{say(line)}</span>
        <span class="quiet small">
          <Moment at={line[0].at} /> {texts.history.by} <bdi>{authorOf(line[0])}</bdi>
        </span>
      </li>
    ))}
  </ul>
);

function Changes({ types }: Pick<ActivityView, 'types'>) {
  const { value, failure } = useAnswer({ types }, (_, signal) =>
    readActivity({ limit: read, type: typesToRead(types) }, signal),
  );
  if (failure !== undefined) return <p class="quiet">{failure.title}</p>;
  if (value === undefined) return <Skeleton rows={shown} />;
  const changes = dropRestored(types, value.changes);
  if (changes.length === 0)
    return <p class="quiet">{types.length > 0 ? texts.history.noneDeleted : texts.history.noneKept}</p>;
  return (
    <Lines
      lines={toLines(changes, true)}
      say={(line) => (
        <DaysOf.Provider value={daysOf(line[0])}>
          <Whom changes={line} /> {line.length > 1 && '· '}
          {line.length > 1 ? (
            <SharedChange changes={line} isCut={isCut(line, value)} />
          ) : (
            <ChangeSummary change={line[0]} />
          )}
        </DaysOf.Provider>
      )}
    />
  );
}

/** The newest changes of a part of the activity. */
const Part = ({ title, view }: { readonly title: string; readonly view: ActivityView }) => (
  <section class="panel" aria-label={title}>
    <h2>
      <Link view={view}>{title}</Link>
    </h2>
    <Changes types={view.types} />
  </section>
);

/** Operations that have created several users or groups. */
const importsAmong = ({ changes }: HistoryPage): readonly Line[] =>
  toLines(changes, true).filter(({ length }) => length > 1);

/** The newest creations, and more only to count an import that the page cuts off. */
async function readImports(_: unknown, signal: AbortSignal): Promise<Outcome<HistoryPage>> {
  let query: ActivityQuery = { type: ['user.created', 'group.created'], limit: largest };
  for (const changes: Change[] = []; ; ) {
    const page = await readActivity(query, signal);
    if (!page.ok) return page;
    changes.push(...page.value.changes);
    const value = { ...page.value, changes };
    const last = importsAmong(value).find((line) => isCut(line, value));
    if (last === undefined || last.length >= most) return { ok: true, value };
    query = { ...query, request: [last[0].request ?? ''], after: value.next };
  }
}

function Imports() {
  const { value } = useAnswer({}, readImports);
  if (value === undefined || importsAmong(value).length === 0) return null;
  const countOf = (line: Line) => {
    const { count } = texts.kinds[kindOfChange(line[0])];
    return isCut(line, value) ? words.orMore(count(most)) : count(line.length);
  };
  return (
    <section class="panel" aria-label={words.imports}>
      <h2>{words.imports}</h2>
      <Lines
        lines={importsAmong(value)}
        say={(line) => (
          <Link view={{ ...wholeActivity, request: line[0].request ?? '' }}>{countOf(line)}</Link>
        )}
      />
    </section>
  );
}

export const Latest = () => (
  <Allowed scope="history:read">
    <div class="read-view">
      <Part title={words.changes} view={wholeActivity} />
      <Part title={words.deletions} view={{ ...wholeActivity, types: deletions }} />
      <Imports />
    </div>
  </Allowed>
);
