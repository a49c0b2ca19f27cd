import { useEffect, useRef, useState } from 'preact/hooks';
import type { Counts, FileEngine, ImportWishes } from 'user-files/types';
import { announce } from '../parts/announcement.tsx';
import type { KindName } from '../schema/kinds.ts';
import { sessionEnd, untilShown } from '../session/unfinished.ts';
import { texts } from '../texts/texts.ts';
import { ApiDirectory } from './api-directory.ts';
import { CollectedFile, contentTypes } from './save-file.ts';

/** Lines that are shown. All rejected rows are in their file. */
const maxLines = 100;

/** In milliseconds: drawing each batch would take longer than reading it. */
const drawingPause = 100;

export interface Run {
  readonly status: 'running' | 'stopping' | 'stopped' | 'over';
  readonly isDryRun: boolean;
  readonly counts: Counts;
  /** Of 1. */
  readonly done: number;
  readonly lines: readonly string[];
  readonly lineCount: number;
  readonly failure: string | undefined;
  /** Once it is over: the rejected rows, if any. */
  readonly rejects: CollectedFile | undefined;
}

const nothing: Counts = { created: 0, changed: 0, unchanged: 0, rejected: 0 };

export const countRows = ({ created, changed, unchanged, rejected }: Counts): number =>
  created + changed + unchanged + rejected;

export const isUnderWay = (run: Run | undefined): boolean =>
  run?.status === 'running' || run?.status === 'stopping';

export interface Importing {
  readonly run: Run | undefined;
  begin(engine: FileEngine, file: File, wishes: ImportWishes): void;
  stop(): void;
  /** Forgets a run that is over. */
  forget(): void;
}

/** Runs an import or a check of one, and stops it when the view is left. */
export function useImport(kind: KindName): Importing {
  const [run, setRun] = useState<Run>();
  const controller = useRef(new AbortController());
  const isLeft = useRef(false);
  const leave = () => {
    isLeft.current = true;
    controller.current.abort();
  };
  useEffect(() => leave, []);
  const begin = async (engine: FileEngine, file: File, wishes: ImportWishes) => {
    controller.current = new AbortController();
    const signal = AbortSignal.any([controller.current.signal, sessionEnd]);
    const { isDryRun, format } = wishes;
    const rejects = new CollectedFile(contentTypes[format]);
    const lines: string[] = [];
    let lineCount = 0;
    let drawn = Number.NEGATIVE_INFINITY;
    const draw = (counts: Counts, more: Partial<Run>) =>
      setRun((before) => ({
        ...{
          isDryRun,
          counts,
          lines: [...lines],
          lineCount,
          done: 0,
          failure: undefined,
          rejects: undefined,
        },
        status: before?.status === 'stopping' ? 'stopping' : 'running',
        ...more,
      }));
    draw(nothing, { status: 'running' });
    const reports = {
      signal,
      onProgress(counts: Counts, bytesRead: number) {
        if (performance.now() - drawn < drawingPause) return;
        drawn = performance.now();
        draw(counts, { done: bytesRead / Math.max(1, file.size) });
      },
      onReject(more: readonly string[]) {
        lineCount += more.length;
        if (lines.length < maxLines) lines.push(...more);
      },
      onRejectText: (piece: string) => rejects.add(piece),
    };
    const running = engine.importFile(file, wishes, new ApiDirectory(kind, signal), reports);
    const { counts, failure } = await (isDryRun ? running : untilShown(running));
    if (isLeft.current && !isDryRun && !sessionEnd.aborted) announce(texts.files.left(countRows(counts)));
    draw(counts, {
      ...{ done: 1, failure, status: signal.aborted ? 'stopped' : 'over' },
      rejects: rejects.isEmpty ? undefined : rejects,
    });
  };
  return {
    run,
    begin: (...given) => void begin(...given),
    stop() {
      controller.current.abort();
      setRun((before) => before && { ...before, status: 'stopping' });
    },
    forget: () => setRun(undefined),
  };
}
