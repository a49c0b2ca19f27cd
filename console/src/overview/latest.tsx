import type { ComponentChildren } from 'preact';
import { type ActivityView, wholeActivity } from '../address/address.ts';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { type ActivityQuery, type Change, kindOfChange, readActivity } from '../api/changes.ts';
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

/** Lines in one list; the activity has all. */
const shown = 6;
/** Changes that are read for them: many may be of one operation. */
const read = 50;

/** The changes of an operation, or one, the newest first. */
type Changes = ChangeViewProps['changes'];

interface LineProps {
  readonly change: Change;
  readonly children: ComponentChildren;
}

/** What was done, when and by whom. */
const Line = ({ change, children }: LineProps) => (
  <li class="latest">
    <span class="what">{children}</span>
    <span class="quiet small">
      <Moment at={change.at} /> {texts.history.by} <bdi>{authorOf(change)}</bdi>
    </span>
  </li>
);

/** What has changed, of whom. */
const Summary = ({ changes }: { readonly changes: Changes }) => (
  <DaysOf.Provider value={daysOf(changes[0])}>
    <Whom changes={changes} />{' '}
    {changes.length > 1 ? <SharedChange changes={changes} /> : <ChangeSummary change={changes[0]} />}
  </DaysOf.Provider>
);

interface LatestProps {
  readonly title: string;
  readonly view: ActivityView;
}

function Lines({ view }: Pick<LatestProps, 'view'>) {
  const { types } = view;
  const { value, failure } = useAnswer({ types }, (_, signal) =>
    readActivity({ limit: read, type: typesToRead(types) }, signal),
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
          <Line key={changes[0].cursor} change={changes[0]}>
            <Summary changes={changes} />
          </Line>
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

/** How many creations are read to count one import. */
const most = 1000;

interface Import {
  readonly changes: Changes;
  /** Whether it has created more, which are not read. */
  readonly isCut: boolean;
}

/** Operations that have created several resources. The log is only read on to count one that a page cuts off. */
async function readImports(_: unknown, signal: AbortSignal): Promise<Outcome<readonly Import[]>> {
  const found: Change[] = [];
  let query: ActivityQuery = { type: ['user.created', 'group.created'], limit: 100 };
  for (;;) {
    const page = await readActivity(query, signal);
    if (!page.ok) return page;
    const { changes, next, more } = page.value;
    found.push(...changes);
    const last = found.at(-1) as Change;
    const imports = toLines(found, true)
      .filter(({ length }) => length > 1)
      .map((line) => ({ changes: line, isCut: more && line.includes(last) }));
    const { request } = imports.find(({ isCut }) => isCut)?.changes[0] ?? {};
    if (request === undefined || found.length >= most) return { ok: true, value: imports };
    query = { ...query, request: [request], after: next };
  }
}

function Imports() {
  const { value = [] } = useAnswer({}, readImports);
  if (value.length === 0) return null;
  const title = words.imports;
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {value.slice(0, shown).map(({ changes, isCut }) => {
          const [change] = changes;
          const count = texts.kinds[kindOfChange(change)].count(changes.length);
          return (
            <Line key={change.cursor} change={change}>
              <Link view={{ ...wholeActivity, request: change.request ?? '' }}>
                {isCut ? words.orMore(count) : count}
              </Link>
            </Line>
          );
        })}
      </ul>
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
