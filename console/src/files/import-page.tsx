import { useState } from 'preact/hooks';
import { engine } from 'user-files';
import type { CorrectedRow, FormatName, ImportWishes, ReadWishes, RejectedRow } from 'user-files/types';
import { Link } from '../address/navigation.tsx';
import { Folded } from '../parts/folded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Observable, useObservable } from '../parts/observable.ts';
import { type KindName, kindNames } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { sessionState } from '../session/session.ts';
import { tellUnsaved } from '../session/unsaved.ts';
import { files } from '../texts/files.ts';
import { texts } from '../texts/texts.ts';
import { ChooseFile, Template } from './choose-file.tsx';
import { nameColumn } from './column-name.ts';
import { FileColumns, headingsOf, LeftOut, usePreview } from './file-columns.tsx';
import { type Choices, Reading, Rules, readWishesOf, usualChoices } from './import-choices.tsx';
import { FailureText, RunProgress, RunResult } from './import-run.tsx';
import { type Importing, isUnderWay, nextOf, useImport } from './use-import.ts';

interface ChosenFile {
  readonly file: File;
  readonly format: FormatName;
  /** Rows that were corrected here. */
  readonly corrections?: ReadWishes['corrections'];
  /** Rows that were skipped here, by key: the next run doesn't report them. */
  readonly skipped?: ReadonlyMap<string, RejectedRow>;
  /** The corrected rows that are imported. */
  readonly imported?: ReadWishes['corrections'];
}

/** The choices for a kind. They stay for the next file, which may be the same file, corrected. */
interface Kept {
  readonly chosen?: ChosenFile | undefined;
  readonly choices: Choices;
  /** Paths of columns, by heading. */
  readonly headings: ReadonlyMap<string, string>;
}

/** Stays when the view is left: corrected rows are still there when the person returns. */
const keptByKind = new Observable<Partial<Record<KindName, Kept>>>({});

keptByKind.follow((all) =>
  tellUnsaved(
    'files',
    Object.values(all).filter(({ chosen }) => chosen?.corrections !== chosen?.imported).length,
  ),
);

// Dropped for the next person.
sessionState.follow((state) => {
  if (!('session' in state)) keptByKind.set({});
});

function useKept(kind: KindName): readonly [kept: Kept, change: (more: Partial<Kept>) => void] {
  useObservable(keptByKind);
  const current = () => keptByKind.value[kind] ?? { choices: usualChoices, headings: new Map() };
  const change = (more: Partial<Kept>) =>
    keptByKind.set({ ...keptByKind.value, [kind]: { ...current(), ...more } });
  return [current(), change];
}

export interface ImportPageProps {
  readonly kind: KindName;
}

interface FormProps extends ImportPageProps {
  readonly kept: Kept & { readonly chosen: ChosenFile };
  readonly importing: Importing;
  readonly onChange: (more: Partial<Kept>) => void;
}

const nameIn = (kind: KindName) => (path: string) => nameColumn(fieldsOf(kind), path);

function ImportForm(props: FormProps) {
  const { kind, kept, importing, onChange } = props;
  const { chosen, choices } = kept;
  const { file, format } = chosen;
  const { run, begin, stop, forget } = importing;
  const preview = usePreview(chosen, readWishesOf(kind, format, choices));
  if (preview === undefined) return null;
  const headings = format === 'csv' ? headingsOf(preview, kept.headings) : undefined;
  const nameOf = nameIn(kind);
  const change = (more: Partial<Choices>) => {
    onChange({ choices: { ...choices, ...more } });
    forget();
  };
  const choose = (heading: string, path: string) => {
    onChange({ headings: new Map(kept.headings).set(heading, path) });
    forget();
  };
  const correct = (key: string, row: CorrectedRow) => {
    const refused = run?.rejects?.rows.find((one) => one.key === key);
    const skipped = new Map(chosen.skipped);
    if (row === '' && refused !== undefined) skipped.set(key, refused);
    onChange({
      chosen: { ...chosen, skipped, corrections: new Map(chosen.corrections).set(key, row) },
    });
  };
  const skipped = [...(chosen.skipped?.values() ?? [])].filter(
    ({ key }) => run?.corrections?.get(key) === '',
  );
  const start = async (isDryRun: boolean, rows?: ImportWishes['rows']) => {
    const { mode, match } = choices;
    const { corrections } = chosen;
    const reading = { ...readWishesOf(kind, format, choices), headings, rows };
    const isWhole = await begin(file, { ...reading, corrections, mode, match, isDryRun });
    if (isWhole && !isDryRun) onChange({ chosen: { ...chosen, imported: corrections } });
  };
  /** Rows that are imported already are not read again. */
  const left = run?.rejects && new Set([...run.rejects.keys, ...skipped.map(({ key }) => key)]);
  const startCorrected = (isDryRun: boolean) => start(isDryRun, run?.isDryRun ? run.rows : left);
  const isChecked = run?.status === 'over' && run.isDryRun;
  const isCut = run?.status === 'stopped' && !run.isDryRun;
  const next = nextOf(run);
  const taken = preview.headings
    .map(({ heading, path = '' }) => nameOf(headings?.get(heading) ?? path))
    .filter(Boolean);
  const corrected = [...(chosen.corrections?.values() ?? [])].filter((row) => row !== '').length;
  return (
    <>
      <fieldset class="stack" disabled={isUnderWay(run)}>
        {preview.failure !== undefined && (
          <Notice tone="bad" title={files.unreadable} news={preview.failure}>
            <FailureText failure={preview.failure} format={format} />
          </Notice>
        )}
        {preview.headings.length > 0 && (
          // Once the file is checked, its mistakes matter.
          <Folded
            key={String(run?.status === 'over')}
            class="fold"
            summary={
              <>
                <span class="fold-name">{files.columns}</span> <span class="quiet">{taken.join(', ')}</span>
              </>
            }
            isOpenAtFirst={run?.status !== 'over'}
          >
            <p class="quiet">{format === 'csv' ? files.columnsHint : files.previewHint}</p>
            <FileColumns {...{ kind, preview, nameOf }} chosen={headings} onChoose={choose} />
          </Folded>
        )}
        <LeftOut chosen={headings} />
        <Reading {...{ choices, format, preview }} onChange={change} />
        <Rules {...{ choices, kind, nameOf }} onChange={change} />
        {next !== 'correct' && (
          <>
            <p class="quiet">{files.checkHint}</p>
            <p class="save-bar">
              <button type="button" class={next === 'check' ? 'primary' : ''} onClick={() => start(true)}>
                {files.check}
              </button>
              <button
                type="button"
                class={next === 'import' ? 'primary' : ''}
                onClick={() => start(false, isChecked ? run.rows : undefined)}
              >
                {isCut ? files.goOn : files.start}
              </button>
              {corrected > 0 && <span class="quiet">{files.withCorrections(corrected)}</span>}
            </p>
          </>
        )}
      </fieldset>
      {run !== undefined && isUnderWay(run) && <RunProgress run={run} onStop={stop} />}
      {run !== undefined && !isUnderWay(run) && (
        <RunResult
          {...{ kind, format, run, skipped }}
          headings={format === 'csv' ? preview.headings.map(({ heading }) => heading) : []}
          names={{ kind, nameOf, paths: headings }}
          onCorrect={correct}
          corrections={chosen.corrections}
          onRun={startCorrected}
        />
      )}
    </>
  );
}

/** Shows, checks and imports a file of users or groups. */
export function ImportPage({ kind }: ImportPageProps) {
  const [kept, change] = useKept(kind);
  const { chosen } = kept;
  const [unknown, setUnknown] = useState<string>();
  const importing = useImport(kind);
  const { run, forget } = importing;
  const choose = (file: File) => {
    const format = engine.findFormat(file.name);
    setUnknown(format === undefined ? file.name : undefined);
    change({ chosen: format && { file, format } });
    forget();
  };
  return (
    <>
      <nav class="actions" aria-label={files.kind}>
        {files.kind}
        {kindNames.map((name) => (
          <Link key={name} class="button" isCurrent={name === kind} view={{ name: 'import', kind: name }}>
            {texts.kinds[name].plural}
          </Link>
        ))}
      </nav>
      <ChooseFile
        endings={engine.endings}
        file={chosen?.file}
        isDisabled={isUnderWay(run)}
        isBrief={run?.status === 'over'}
        onChoose={choose}
      />
      {chosen === undefined && <Template kind={kind} nameOf={nameIn(kind)} />}
      {unknown !== undefined && <Notice tone="bad" title={files.unknownFormat(unknown)} />}
      {chosen !== undefined && (
        <ImportForm {...{ kind, importing }} kept={{ ...kept, chosen }} onChange={change} />
      )}
    </>
  );
}

// One chunk for import and export: each alone would divide what they share with the page into more files.
export { ExportDialog } from './export-dialog.tsx';
