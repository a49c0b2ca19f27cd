import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type ListAddress, listKeyOf } from '../address/address.ts';
import { conditionsOf, pageQueryOf } from '../address/list-query.ts';
import { Link, useAddress } from '../address/navigation.tsx';
import { FailureNotice } from '../answers/failure-notice.tsx';
import { useAnswer } from '../answers/use-answer.ts';
import { countResources, listResources } from '../api/directory.ts';
import { useSelection } from '../bulk/selection.ts';
import { SelectionBar } from '../bulk/selection-bar.tsx';
import { FilesMenu } from '../files/files-menu.tsx';
import { useTitle } from '../parts/brand.tsx';
import { Icon } from '../parts/icons.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { filtersOf } from '../schema/filters.ts';
import { type Group, type KindName, kinds } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { Allowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { mayCreate } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { withRemembered } from '../views/remembered.ts';
import { ViewsMenu } from '../views/views-menu.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { findColumns, showColumns } from './columns.ts';
import { Filters } from './filters.tsx';
import { EmptyList } from './list-state.tsx';
import { Pager, PageSize } from './pager.tsx';
import { ResourceTable, SortChoice } from './resource-table.tsx';
import { SearchBox } from './search-box.tsx';
import { type Listed, rangeOf, Total } from './total.tsx';

/** Scrolls to the first row of a new page, order or selection of columns, in the frame or in the window. */
function useStart({ columns: _columns, ...asked }: ListAddress) {
  const frame = useRef<HTMLDivElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) {
      frame.current?.scrollTo(0, 0);
      if ((frame.current?.getBoundingClientRect().top ?? 0) < 0) frame.current?.scrollIntoView();
    }
    isFirst.current = false;
  }, [JSON.stringify(asked)]);
  return frame;
}

interface ResourceListProps {
  readonly kind: KindName;
  /** The group whose members are listed. */
  readonly group?: Group;
  /** Called after an action on the selection. */
  readonly onChanged?: (() => void) | undefined;
  /** Shown beside the search. @param again loads the list again */
  readonly action: (again: () => void) => ComponentChildren;
}

/** Search, filters, order, columns, a selection and pages of the resources of a kind. */
export function ResourceList({ kind, group, onChanged, action }: ResourceListProps) {
  const { usualColumns } = kinds[kind];
  const { view, list: own } = useAddress();
  const list = withRemembered(kind, own);
  const columns = useMemo(() => findColumns(kind, fieldsOf(kind)), [kind]);
  const shown = showColumns(kind, columns, list.columns ?? usualColumns);
  const selection = useSelection(listKeyOf(view));
  const asked = group === undefined ? list : { ...list, filters: { ...list.filters, group: group.id } };
  const query = conditionsOf(asked);
  const pageQuestion = { kind, query: pageQueryOf(kind, asked) };
  const { value: page, failure, isBusy, again } = useAnswer(pageQuestion, listResources);
  // When the first page fails, no one has caused it: the head stays in sight.
  const hasCome = useRef(false);
  if (page !== undefined) hasCome.current = true;
  // Requested separately, since the page must not wait for it.
  const total = useAnswer({ kind, query }, countResources);
  const count = total.failure === undefined ? total.value : undefined;
  const askAgain = () => {
    again();
    total.again();
    onChanged?.();
  };
  const resources = page?.resources ?? [];
  const range = page === undefined ? undefined : rangeOf(list.cursor, page, total.value);
  const listed: Listed = group === undefined ? kind : 'member';
  return (
    <>
      <div class="toolbar">
        <SearchBox label={texts.list.search[listed]} hint={texts.kinds[kind].hint} isBusy={isBusy} />
        {action(askAgain)}
      </div>
      <div class="toolbar second">
        <Filters
          kind={kind}
          filters={filtersOf(kind).filter((name) => group === undefined || name !== 'group')}
        />
        <SortChoice kind={kind} columns={columns} />
        {group === undefined && <ViewsMenu kind={kind} />}
        <ColumnChooser kind={kind} usual={usualColumns} columns={columns} shown={shown} />
        <FilesMenu {...{ kind, list: asked, total: count, columns: shown }} isOfGroup={group !== undefined} />
      </div>
      <SelectionBar
        kind={kind}
        selection={selection}
        shown={resources}
        group={group}
        query={query}
        total={count}
        onDone={askAgain}
      />
      {failure !== undefined && (
        <FailureNotice failure={failure} retry={again} isAutomatic isNews={hasCome.current} />
      )}
      <div class="table-frame" ref={useStart(own)}>
        <ResourceTable
          kind={kind}
          title={texts.kinds[listed].plural}
          columns={shown}
          resources={resources}
          isBusy={isBusy}
          selection={selection}
        />
        {page === undefined && isBusy && <Skeleton rows={12} />}
        {page?.resources.length === 0 && failure === undefined && <EmptyList kind={kind} group={group} />}
      </div>
      <div class="list-end">
        <Total total={total} listed={listed} range={range} />
        <PageSize kind={kind} />
        {page !== undefined && <Pager links={page.links} range={range} />}
      </div>
    </>
  );
}

/** All resources of a kind. */
export function ListPage({ kind }: Pick<ResourceListProps, 'kind'>) {
  const title = texts.kinds[kind].plural;
  useTitle('', title);
  const create = () => (
    <Allowed scope={scopeOf(kind, 'write')}>
      {mayCreate(kind) && (
        <Link class="button primary" view={{ name: 'new', kind }}>
          <Icon name="plus" /> {texts.kinds[kind].new}
        </Link>
      )}
    </Allowed>
  );
  return (
    <main class="list">
      <h1 class="unseen">{title}</h1>
      <Allowed scope={scopeOf(kind, 'read')}>
        <ResourceList kind={kind} action={create} />
      </Allowed>
    </main>
  );
}
