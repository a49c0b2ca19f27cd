import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Counts, FileFailure, FormatName, Place } from 'user-files/types';
import { Link, wholeListOf } from '../address/navigation.tsx';
import { explainDetail } from '../explain-detail.ts';
import { Notice } from '../parts/notice.tsx';
import { Running } from '../parts/running.tsx';
import { type KindName, kinds } from '../schema/kinds.ts';
import { files as words } from '../texts/files.ts';
import { Corrections, type CorrectionsProps, nameCell } from './corrections.tsx';
import { download, nameFile } from './save-file.ts';
import { countRows, type Run } from './use-import.ts';

function describe({ created, changed, unchanged, rejected }: Counts, isDryRun: boolean): string {
  const parts = [
    created > 0 && words.created(created, isDryRun),
    changed > 0 && words.changed(changed, isDryRun),
    unchanged > 0 && words.unchanged(unchanged),
    rejected > 0 && words.rejected(rejected, isDryRun),
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
      {words.progress(countRows(run.counts))}: {describe(run.counts, run.isDryRun)}
    </Running>
  </section>
);

function titleOf({ status, isDryRun, failure }: Run): string {
  if (status === 'stopped') return isDryRun ? words.checkStopped : words.stopped;
  if (failure !== undefined) return isDryRun ? words.checkNotFinished : words.notFinished;
  return isDryRun ? words.checked : words.imported;
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

interface RunResultProps extends Omit<CorrectionsProps, 'rejects'> {
  readonly kind: KindName;
  readonly format: FormatName;
}

/** The result of the run. */
export function RunResult({ kind, format, ...correcting }: RunResultProps) {
  const { run } = correcting;
  const { counts, isDryRun, failure, rejects, status } = run;
  return (
    <section class="stack" tabIndex={-1} ref={useShown('[aria-invalid=true]')}>
      <Notice tone={toneOf(run)} title={titleOf(run)}>
        {status !== 'stopped' && failure !== undefined && <FailureText {...{ failure, format }} />}
        <p>{describe(counts, isDryRun)}.</p>
        {!isDryRun && (
          <p>
            {/* Those that were imported first. */}
            <Link view={{ name: 'list', kind }} list={{ ...wholeListOf(kind), sort: '-lastModified' }}>
              {words.toList[kind]}
            </Link>
          </p>
        )}
      </Notice>
      {rejects !== undefined && (
        <>
          <h2>{words.mistakes}</h2>
          <Corrections {...{ rejects, ...correcting }} />
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
