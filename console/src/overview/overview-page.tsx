/** The first page: how many users and groups there are, what needs a look, and what has changed. */
import { Link } from '../address/navigation.tsx';
import { useTitle } from '../parts/brand.tsx';
import { useObservable } from '../parts/observable.ts';
import { texts } from '../texts/texts.ts';
import { savedViews } from '../views/saved-views.ts';
import { Figures } from './figures.tsx';
import { Latest } from './latest.tsx';

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
  useTitle('', texts.page.overview.title);
  return (
    <main class="resource">
      <h1>{texts.page.overview.title}</h1>
      <Figures kind="user" />
      <Figures kind="group" />
      <Views />
      <Latest />
    </main>
  );
}
