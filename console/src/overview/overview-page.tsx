/** The first page: how many users and groups there are, what needs a look, and what has changed. */
import { type ListAddress, wholeList } from '../address/address.ts';
import { conditionsOf } from '../address/list-query.ts';
import { Link } from '../address/navigation.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { countResources } from '../api/directory.ts';
import { dayOf, printNumber } from '../language.ts';
import { useTitle } from '../parts/brand.tsx';
import { useObservable } from '../parts/observable.ts';
import type { KindName } from '../schema/kinds.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { savedViews } from '../views/saved-views.ts';
import { Latest } from './latest.tsx';

const words = texts.page.overview;

type Figure = keyof typeof words.figures;

/** The 30 days from today: at the end of a month, the rest of it would hide users who leave on the first. */
function nextDays(): ListAddress['filters'] {
  const today = new Date();
  const last = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 30);
  return { 'validUntil.from': dayOf(today), 'validUntil.to': dayOf(last) };
}

/** The filters of the list that each figure counts. */
const figures = (): Readonly<Record<KindName, readonly (readonly [Figure, ListAddress['filters']])[]>> => ({
  user: [
    ['users', {}],
    ['active', { active: 'true' }],
    ['ending', nextDays()],
    ['withoutManager', { 'manager.exists': 'false' }],
    ['inNoGroup', { 'group.exists': 'false' }],
  ],
  group: [
    ['groups', {}],
    ['empty', { 'member.exists': 'false' }],
  ],
});

interface FigureProps {
  readonly kind: KindName;
  readonly name: Figure;
  readonly filters: ListAddress['filters'];
}

/** A number of users or groups, which leads to their list. */
function FigureLink({ kind, name, filters }: FigureProps) {
  const list = { ...wholeList, filters };
  const { value } = useAnswer({ kind, query: conditionsOf(list) }, countResources);
  return (
    <Link class="panel figure" view={{ name: 'list', kind }} list={list}>
      <span class="quiet">{words.figures[name]}</span>
      <span class="number" aria-busy={value === undefined}>
        {value === undefined ? '–' : printNumber(value)}
      </span>
    </Link>
  );
}

function Figures({ kind }: { readonly kind: KindName }) {
  const mayCount = useScope('groups:read');
  // Who is in no group is a question about groups, too.
  const shown = figures()[kind].filter(([name]) => name !== 'inNoGroup' || mayCount);
  return (
    <section class="stack" aria-labelledby={`figures-${kind}`}>
      <h2 id={`figures-${kind}`}>{texts.kinds[kind].plural}</h2>
      <Allowed scope={scopeOf(kind, 'read')}>
        <div class="figures">
          {shown.map(([name, filters]) => (
            <FigureLink key={name} {...{ kind, name, filters }} />
          ))}
        </div>
      </Allowed>
    </section>
  );
}

function Views() {
  const views = useObservable(savedViews);
  if (views.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="own-views">
      <h2 id="own-views">{texts.list.views.title}</h2>
      <div class="actions">
        {views.map(({ kind, name, list }) => (
          <Link key={kind + name} class="button" view={{ name: 'list', kind }} list={list}>
            <bdi>{name}</bdi>
          </Link>
        ))}
      </div>
    </section>
  );
}

export function OverviewPage() {
  useTitle('', words.title);
  return (
    <main class="resource">
      <h1>{words.title}</h1>
      <div class="all-figures">
        <Figures kind="user" />
        <Figures kind="group" />
      </div>
      <Views />
      <Latest />
    </main>
  );
}
