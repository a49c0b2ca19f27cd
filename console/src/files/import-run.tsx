import { useEffect, useRef } from 'preact/hooks';
import type { Counts } from 'user-files/types';
import { changeList } from '../address/address.ts';
import { Link, useAddress } from '../address/navigation.tsx';
import { Notice } from '../parts/notice.tsx';
import { Running } from '../parts/running.tsx';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { countRows, type Run } from './use-import.ts';

function describe({ created, changed, unchanged, rejected }: Counts, isDryRun: boolean): string {
  const { files } = texts;
  const parts = [
    created > 0 && files.created(created, isDryRun),
    changed > 0 && files.changed(changed, isDryRun),
    unchanged > 0 && files.unchanged(unchanged),
    rejected > 0 && files.rejected(rejected, isDryRun),
  ].filter((part) => part !== false);
  return parts.length === 0 ? files.created(0, isDryRun) : parts.join(', ');
}

/** Scrolls to it: it stands below a form that fills the window. */
function useShown() {
  const element = useRef<HTMLElement>(null);
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), []);
  return element;
}

/** All that there are, those that were imported first. */
function ImportedLink({ kind }: { readonly kind: KindName }) {
  const { list } = useAddress();
  return (
    <Link
      view={{ name: 'list', kind }}
      list={changeList(list, { search: '', filters: {}, sort: '-lastModified' })}
    >
      {texts.files.toList[kind]}
    </Link>
  );
}

export function RunProgress({ run, onStop }: { readonly run: Run; readonly onStop: () => void }) {
  const { files } = texts;
  return (
    <section class="stack" ref={useShown()}>
      <Running
        label={files.progressLabel}
        done={run.done}
        isStopping={run.status === 'stopping'}
        onStop={onStop}
      >
        {files.progress(countRows(run.counts))}: {describe(run.counts, run.isDryRun)}
      </Running>
    </section>
  );
}

function titleOf({ status, isDryRun, failure }: Run): string {
  const { files } = texts;
  if (status === 'stopped') return isDryRun ? files.checkStopped : files.stopped;
  if (failure !== undefined) return isDryRun ? files.checkNotFinished : files.notFinished;
  return isDryRun ? files.checked : files.imported;
}

const toneOf = ({ status, counts, failure }: Run) => {
  if (status !== 'stopped' && failure !== undefined) return 'bad';
  return status === 'stopped' || counts.rejected > 0 ? 'warning' : 'good';
};

interface RunResultProps {
  readonly kind: KindName;
  readonly run: Run;
  readonly onDownload: () => void;
}

/** The result of the run. Mistakes are in the words of the command, which are English. */
export function RunResult({ kind, run, onDownload }: RunResultProps) {
  const { files } = texts;
  const { counts, isDryRun, lines, lineCount, failure, rejects, status } = run;
  return (
    <section class="stack" ref={useShown()}>
      <Notice tone={toneOf(run)} title={titleOf(run)}>
        {status !== 'stopped' && failure !== undefined && <p lang="en">{failure}</p>}
        <p>{describe(counts, isDryRun)}.</p>
        {!isDryRun && (
          <p>
            <ImportedLink kind={kind} />
          </p>
        )}
      </Notice>
      {lines.length > 0 && (
        <>
          <h2>{files.mistakes}</h2>
          {lines.some((line) => line.includes('--')) && <p class="quiet">{files.mistakesHint}</p>}
          <ul class="mistakes" lang="en">
            {lines.map((line, at) => (
              <li key={at}>{line}</li>
            ))}
          </ul>
          {lineCount > lines.length && <p class="quiet">{files.moreMistakes(lineCount - lines.length)}</p>}
        </>
      )}
      {rejects !== undefined && (
        <>
          <p class="quiet">{files.rejectsHint}</p>
          <p class="actions">
            <button type="button" onClick={onDownload}>
              {files.rejects}
            </button>
          </p>
        </>
      )}
    </section>
  );
}
