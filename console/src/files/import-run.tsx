import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FileFailure, FormatName, Place, RejectedRow } from 'user-files/types';
import { wholeActivity } from '../address/address.ts';
import { Link, wholeListOf } from '../address/navigation.tsx';
import { explainDetail } from '../explain-detail.ts';
import { dayOf } from '../language.ts';
import { Notice } from '../parts/notice.tsx';
import { Running } from '../parts/running.tsx';
import { type KindName, kinds } from '../schema/kinds.ts';
import { useScope } from '../session/session.ts';
import { files as words } from '../texts/files.ts';
import { Corrections, type CorrectionsProps, nameCell } from './corrections.tsx';
import { download, nameFile } from './save-file.ts';
import { countRows, type Run } from './use-import.ts';

function describe({ counts, isDryRun, corrections }: Run): string {
  const { created, changed, unchanged, rejected } = counts;
  const skipped = [...(corrections?.values() ?? [])].filter((row) => row === '').length;
  const parts = [
    created > 0 && words.created(created, isDryRun),
    changed > 0 && words.changed(changed, isDryRun),
    unchanged > 0 && words.unchanged(unchanged),
    rejected > 0 && words.rejected(rejected, isDryRun),
    skipped > 0 && words.skipped(skipped),
  ].filter((part) => part !== false);
  return parts.length === 0 ? words.created(0, isDryRun) : parts.join(', ');
}

/**
 * Scrolls to the section below the form, which fills the window and whose button had the focus.
 * @param first the element that gets the focus; without it, the section does
 */
function useShown(first: string) {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    element.current?.scrollIntoView({ block: 'nearest' });
    const inside = element.current?.querySelector<HTMLElement>(first);
    if (inside) inside.focus();
    else element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}

export const RunProgress = ({ run, onStop }: { readonly run: Run; readonly onStop: () => void }) => (
  <section class="stack" tabIndex={-1} ref={useShown('button')}>
    <Running label={words.progressLabel} done={run.done} onStop={onStop}>
      {words.progress(countRows(run.counts))}: {describe(run)}
    </Running>
  </section>
);

function titleOf({ status, isDryRun, failure, rejects }: Run): string {
  if (status === 'stopped') return isDryRun ? words.checkStopped : words.stopped;
  if (failure !== undefined) return isDryRun ? words.checkNotFinished : words.notFinished;
  if (isDryRun) return words.checked;
  return rejects === undefined ? words.imported : words.importedInPart;
}

const toneOf = ({ status, counts, failure }: Run) => {
  if (status !== 'stopped' && failure !== undefined) return 'bad';
  return status === 'stopped' || counts.rejected > 0 ? 'warning' : 'good';
};

const describePlace = ({ line, column }: Place, format: FormatName): string =>
  format === 'csv' ? words.cell(nameCell(line, column)) : words.lineAt(line, column);

interface FailureProps {
  readonly failure: FileFailure;
  readonly format: FormatName;
}

/** Why the rest of a file can't be read. */
export const FailureText = ({ failure: { place, detail }, format }: FailureProps) => (
  <p>
    {place !== undefined && `${describePlace(place, format)}: `}
    {explainDetail(detail, words.violations)}
  </p>
);

interface RunResultProps extends Omit<CorrectionsProps, 'rows' | 'more'> {
  readonly kind: KindName;
  readonly format: FormatName;
  /** Rows that the person skipped in this run. */
  readonly skipped: readonly RejectedRow[];
}

interface DoneLinksProps extends Pick<Run, 'counts' | 'operation'> {
  readonly kind: KindName;
}

/** Links to exactly the written resources, by the history; and to the whole list, with imported resources first. */
function DoneLinks({ kind, counts: { created, changed }, operation: request = '' }: DoneLinksProps) {
  const hasHistory = useScope('history:read') && created + changed > 0;
  const view = { name: 'list', kind } as const;
  const list = { ...wholeListOf(kind), sort: '-lastModified' };
  return (
    <p class="actions">
      {hasHistory && <Link view={{ ...wholeActivity, request }}>{words.toImported}</Link>}
      {created > 0 && (
        <Link view={view} list={{ ...list, filters: { 'created.from': dayOf(new Date()) } }}>
          {words.toCreated[kind]}
        </Link>
      )}
      <Link view={view} list={list}>
        {words.toList[kind]}
      </Link>
    </p>
  );
}

/** The result of the run. */
export function RunResult({ kind, format, skipped, ...correcting }: RunResultProps) {
  const { run } = correcting;
  const { isDryRun, failure, rejects, status } = run;
  const refused = rejects?.rows ?? [];
  const rows = [...refused, ...skipped].toSorted((one, other) => one.place.line - other.place.line);
  const more = (rejects?.keys.size ?? 0) - refused.length;
  return (
    <section class="stack" tabIndex={-1} ref={useShown('[aria-invalid=true]')}>
      <Notice tone={toneOf(run)} title={titleOf(run)}>
        {status !== 'stopped' && failure !== undefined && <FailureText {...{ failure, format }} />}
        <p>{describe(run)}.</p>
        {!isDryRun && <DoneLinks kind={kind} {...run} />}
      </Notice>
      {rows.length > 0 && (
        <>
          <h2>{rejects === undefined ? words.skippedRows : words.mistakes}</h2>
          <Corrections {...{ rows, more, ...correcting }} />
        </>
      )}
      {rejects !== undefined && (
        <>
          <p class="quiet">{words.rejectsHint}</p>
          <p class="actions">
            <button
              type="button"
              onClick={() => download(rejects.file, nameFile(`${kinds[kind].plural}-refused`, `.${format}`))}
            >
              {words.rejects}
            </button>
          </p>
        </>
      )}
    </section>
  );
}
