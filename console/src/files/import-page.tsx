import { useEffect, useState } from 'preact/hooks';
import type { FileEngine, FormatName, Preview } from 'user-files/types';
import { Link } from '../address/navigation.tsx';
import { Notice } from '../parts/notice.tsx';
import { useTitle } from '../parts/use-title.ts';
import { type KindName, kindNames, kinds } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { ChooseFile } from './choose-file.tsx';
import { FileColumns } from './file-columns.tsx';
import { Reading, Rules } from './import-choices.tsx';
import { RunProgress, RunResult } from './import-run.tsx';
import { nameFile } from './save-file.ts';
import { type Importing, isUnderWay, useImport } from './use-import.ts';
import { type Choices, headingsOf, readWishesOf, usualChoices } from './wishes.ts';

interface ChosenFile {
  readonly file: File;
  readonly format: FormatName;
}

interface FormProps {
  readonly engine: FileEngine;
  readonly kind: KindName;
  readonly chosen: ChosenFile;
  readonly importing: Importing;
}

/** The first rows, read anew whenever they would be read otherwise. Undefined until those of this file are there. */
function usePreview({ engine, kind, chosen }: FormProps, choices: Choices): Preview | undefined {
  const [shown, setShown] = useState<{ readonly of: ChosenFile; readonly preview: Preview }>();
  const wishes = readWishesOf(engine, kind, chosen.format, choices);
  useEffect(() => {
    let isWanted = true;
    engine.preview(chosen.file, wishes).then((preview) => isWanted && setShown({ of: chosen, preview }));
    return () => {
      isWanted = false;
    };
  }, [chosen, JSON.stringify(wishes)]);
  return shown?.of === chosen ? shown.preview : undefined;
}

/** What is chosen for a file. It stays for the next one, which may be the same, corrected. */
function ImportForm(props: FormProps) {
  const { engine, kind, chosen, importing } = props;
  const { file, format } = chosen;
  const { run, begin, forget } = importing;
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
  const start = (isDryRun: boolean) => {
    const { mode, match } = choices;
    begin(engine, file, { ...readWishesOf(engine, kind, format, choices), headings, mode, match, isDryRun });
  };
  const isChecked = run?.status === 'over' && run.isDryRun;
  return (
    <fieldset class="plain-set stack" disabled={isUnderWay(run)}>
      <h2>{files.columns}</h2>
      {preview.failure !== undefined && (
        <Notice tone="bad" title={files.unreadable}>
          <p lang="en">{preview.failure}</p>
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
        <button type="button" class={isChecked ? 'primary' : ''} onClick={() => start(false)}>
          {files.start}
        </button>
      </p>
    </fieldset>
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
  const { run, stop, forget } = importing;
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
      {chosen !== undefined && <ImportForm {...{ engine, kind, chosen, importing }} />}
      {run !== undefined && isUnderWay(run) && <RunProgress run={run} onStop={stop} />}
      {chosen !== undefined && run !== undefined && !isUnderWay(run) && (
        <RunResult
          {...{ kind, run }}
          onDownload={() =>
            run.rejects?.download(nameFile(`${kinds[kind].plural}-refused`, `.${chosen.format}`))
          }
        />
      )}
    </>
  );
}
