import { useEffect, useState } from 'preact/hooks';
import type {
  CorrectedRow,
  FileEngine,
  FormatName,
  ImportWishes,
  Preview,
  ReadWishes,
} from 'user-files/types';
import { Link } from '../address/navigation.tsx';
import { Notice } from '../parts/notice.tsx';
import { useTitle } from '../parts/use-title.ts';
import { type KindName, kindNames } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { ChooseFile } from './choose-file.tsx';
import { FileColumns } from './file-columns.tsx';
import { type Choices, Reading, Rules, readWishesOf, usualChoices } from './import-choices.tsx';
import { FailureText, RunProgress, RunResult } from './import-run.tsx';
import { type Importing, isUnderWay, useImport } from './use-import.ts';

interface ChosenFile {
  readonly file: File;
  readonly format: FormatName;
  /** Rows as they were corrected here. */
  readonly corrections?: ReadWishes['corrections'];
}

interface FormProps {
  readonly engine: FileEngine;
  readonly kind: KindName;
  readonly chosen: ChosenFile;
  readonly importing: Importing;
  readonly onCorrect: (line: number, row: CorrectedRow) => void;
}

/** The first rows, read anew whenever they would be read otherwise. Undefined until those of this file are there. */
function usePreview({ engine, kind, chosen }: FormProps, choices: Choices): Preview | undefined {
  const [shown, setShown] = useState<{ readonly of: File; readonly preview: Preview }>();
  const { file } = chosen;
  const wishes = readWishesOf(engine, kind, chosen.format, choices);
  useEffect(() => {
    let isWanted = true;
    engine.preview(file, wishes).then((preview) => isWanted && setShown({ of: file, preview }));
    return () => {
      isWanted = false;
    };
  }, [file, JSON.stringify(wishes)]);
  return shown?.of === file ? shown.preview : undefined;
}

/** By heading: the path of its column, or nothing. @param own what the person has chosen, also for other files */
const headingsOf = ({ headings }: Preview, own: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map(headings.map(({ heading, path = '' }) => [heading, own.get(heading) ?? path]));

/** What is chosen for a file. It stays for the next one, which may be the same, corrected. */
function ImportForm(props: FormProps) {
  const { engine, kind, chosen, importing, onCorrect } = props;
  const { file, format } = chosen;
  const { run, begin, stop, forget } = importing;
  const [choices, setChoices] = useState(usualChoices);
  /** Those that the person has chosen, by heading. */
  const [own, setOwn] = useState<ReadonlyMap<string, string>>(new Map());
  const preview = usePreview(props, choices);
  const { files } = texts;
  if (preview === undefined) return null;
  const headings = format === 'csv' ? headingsOf(preview, own) : undefined;
  const change = (more: Partial<Choices>) => {
    setChoices({ ...choices, ...more });
    forget();
  };
  const choose = (heading: string, path: string) => {
    setOwn(new Map([...own, [heading, path]]));
    forget();
  };
  const start = (isDryRun: boolean, rows?: ImportWishes['rows']) => {
    const { mode, match } = choices;
    const reading = { ...readWishesOf(engine, kind, format, choices), headings, rows };
    begin(engine, file, { ...reading, corrections: chosen.corrections, mode, match, isDryRun });
  };
  /** Rows that are imported already are not read again. */
  const startCorrected = (isDryRun: boolean) =>
    start(isDryRun, run?.isDryRun ? run.rows : run?.rejects?.lines);
  const isChecked = run?.status === 'over' && run.isDryRun;
  return (
    <>
      <fieldset class="stack" disabled={isUnderWay(run)}>
        <h2>{files.columns}</h2>
        {preview.failure !== undefined && (
          <Notice tone="bad" title={files.unreadable}>
            <FailureText failure={preview.failure} format={format} />
          </Notice>
        )}
        {preview.headings.length > 0 && (
          <>
            <p class="quiet">{format === 'csv' ? files.columnsHint : files.previewHint}</p>
            <FileColumns {...{ engine, kind, preview }} chosen={headings} onChoose={choose} />
          </>
        )}
        <Reading {...{ choices, engine, format, preview }} onChange={change} />
        <Rules {...{ choices, engine, kind }} onChange={change} />
        <p class="quiet">{files.checkHint}</p>
        <p class="actions">
          <button type="button" class={isChecked ? '' : 'primary'} onClick={() => start(true)}>
            {files.check}
          </button>
          <button
            type="button"
            class={isChecked ? 'primary' : ''}
            onClick={() => start(false, isChecked ? run.rows : undefined)}
          >
            {files.start}
          </button>
        </p>
      </fieldset>
      {run !== undefined && isUnderWay(run) && <RunProgress run={run} onStop={stop} />}
      {run !== undefined && !isUnderWay(run) && (
        <RunResult
          {...{ kind, format, run, onCorrect }}
          corrections={chosen.corrections}
          onRun={startCorrected}
        />
      )}
    </>
  );
}

interface ImportPageProps {
  readonly engine: FileEngine;
  readonly kind: KindName;
}

/** A file of users or groups, looked at, checked and imported. */
export function ImportPage({ engine, kind }: ImportPageProps) {
  const { files } = texts;
  const [chosen, setChosen] = useState<ChosenFile>();
  const [unknown, setUnknown] = useState<string>();
  const importing = useImport(kind);
  const { run, forget } = importing;
  useTitle('', files.title);
  const choose = (file: File) => {
    const format = engine.findFormat(file.name);
    setUnknown(format === undefined ? file.name : undefined);
    setChosen(format && { file, format });
    forget();
  };
  return (
    <>
      <h1>{files.title}</h1>
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
        onChoose={choose}
      />
      {unknown !== undefined && <Notice tone="bad" title={files.unknownFormat(unknown)} />}
      {chosen !== undefined && (
        <ImportForm
          {...{ engine, kind, chosen, importing }}
          onCorrect={(line, row) =>
            setChosen({ ...chosen, corrections: new Map(chosen.corrections).set(line, row) })
          }
        />
      )}
    </>
  );
}
