import { useState } from 'preact/hooks';
import { engine } from 'user-files';
import type { Counts, ImportResult, ImportWishes } from 'user-files/types';
import { announce } from '../parts/announcement.tsx';
import { useStoppable } from '../parts/running.tsx';
import type { KindName } from '../schema/kinds.ts';
import { sessionEnd, untilShown } from '../session/unfinished.ts';
import { files } from '../texts/files.ts';
import { ApiDirectory } from './api-directory.ts';

/** In milliseconds: drawing each batch would take longer than reading it. */
const drawingPause = 100;

/** The options of the run: with `rows`, only these were read. */
export interface Run extends Partial<ImportResult>, Pick<ImportWishes, 'isDryRun' | 'rows' | 'corrections'> {
  readonly status: 'running' | 'stopped' | 'over';
  readonly counts: Counts;
  /** Of 1. */
  readonly done: number;
  /** The id of its requests. */
  readonly operation?: string;
}

const nothing: Counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };

export const countRows = ({ created, changed, unchanged, rejected }: Counts): number =>
  created + changed + unchanged + rejected;

export const isUnderWay = (run: Run | undefined): boolean => run?.status === 'running';

/** The likely next step of a person. */
export function nextOf(run: Run | undefined): 'check' | 'import' | 'correct' | 'nothing' {
  if (run === undefined || isUnderWay(run)) return 'check';
  if (run.status === 'stopped' || run.failure !== undefined) return run.isDryRun ? 'check' : 'import';
  if (run.rejects !== undefined) return 'correct';
  return run.isDryRun ? 'import' : 'nothing';
}

/** Runs an import or a check, and stops it when the view is left. */
export function useImport(kind: KindName) {
  const [run, setRun] = useState<Run>();
  const { begin: beginWork, stop, isLeft } = useStoppable();
  /** @returns whether all rows were accepted */
  const begin = async (file: File, wishes: ImportWishes) => {
    const signal = beginWork();
    const { isDryRun, rows, corrections } = wishes;
    const about = { isDryRun, rows, corrections };
    let drawn = Number.NEGATIVE_INFINITY;
    setRun({ ...about, status: 'running', counts: nothing, done: 0 });
    const onProgress = (counts: Counts, done: number) => {
      if (performance.now() - drawn < drawingPause) return;
      drawn = performance.now();
      setRun((before) => before && { ...before, counts, done });
    };
    const directory = new ApiDirectory(kind, signal);
    const { operation } = directory;
    const running = engine.importFile(file, wishes, directory, { signal, onProgress });
    const result = await (isDryRun ? running : untilShown(running));
    if (isLeft() && !isDryRun && !sessionEnd.aborted) announce(files.left(countRows(result.counts)));
    setRun({ ...result, ...about, operation, done: 1, status: signal.aborted ? 'stopped' : 'over' });
    return !signal.aborted && result.failure === undefined && result.counts.rejected === 0;
  };
  return { run, begin, stop, forget: () => setRun(undefined) };
}

export type Importing = ReturnType<typeof useImport>;
