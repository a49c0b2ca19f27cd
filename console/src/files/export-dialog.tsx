import { useState } from 'preact/hooks';
import { engine } from 'user-files';
import type { DelimiterName, FormatName } from 'user-files/types';
import type { ListAddress } from '../address/address.ts';
import { orderedQueryOf } from '../address/list-query.ts';
import { readPages } from '../answers/read-pages.ts';
import { language, printNumber } from '../language.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Check, Select } from '../parts/fields.tsx';
import { AskingForm, CloseButton, FormButtons } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { Running, useStoppable } from '../parts/running.tsx';
import { type KindName, kinds } from '../schema/kinds.ts';
import { files } from '../texts/files.ts';
import { texts } from '../texts/texts.ts';
import { ApiDirectory } from './api-directory.ts';
import { headingOf } from './column-name.ts';
import { type ListColumn, ReadableTable } from './readable-table.ts';
import { contentTypes, nameFile, openFile } from './save-file.ts';

interface Wishes {
  readonly format: FormatName;
  readonly columns: 'shown' | 'read' | 'all';
  readonly spreadsheet: boolean;
  readonly semicolon: boolean;
}

/** German spreadsheets expect a semicolon, since their decimals have a comma. */
const usual: Wishes = { format: 'csv', columns: 'shown', spreadsheet: false, semicolon: language === 'de' };

interface WishesFormProps {
  readonly wishes: Wishes;
  readonly onChange: (change: Partial<Wishes>) => void;
}

function WishesForm({ wishes, onChange }: WishesFormProps) {
  return (
    <>
      <Select
        label={files.format}
        value={wishes.format}
        options={Object.entries(files.formatNames) as [FormatName, string][]}
        onChoose={(format) => onChange({ format })}
      />
      {wishes.format === 'csv' && (
        <>
          <Select
            label={files.whichColumns}
            value={wishes.columns}
            options={[
              ['shown', files.shownColumns],
              ['read', files.readColumns],
              ['all', files.allColumns],
            ]}
            onChoose={(columns) => onChange({ columns })}
          />
          <small class="quiet">{files.columnNames[wishes.columns]}</small>
          {wishes.columns !== 'read' && (
            <Check
              label={files.forSpreadsheet}
              isChecked={wishes.spreadsheet}
              onChange={(spreadsheet) => onChange({ spreadsheet })}
            />
          )}
          <Check
            label={files.semicolon}
            isChecked={wishes.semicolon}
            onChange={(semicolon) => onChange({ semicolon })}
          />
        </>
      )}
    </>
  );
}

type Step =
  | { readonly name: 'ask'; readonly failure?: string }
  | { readonly name: 'running'; readonly done: number }
  | { readonly name: 'over'; readonly written: number };

/** @param error that ended an export: a failure, or the person stopped it or chose no file */
function stepAfter(error: unknown): Step {
  if (!(error instanceof Error)) return { name: 'ask', failure: String(error) };
  return error.name === 'AbortError' ? { name: 'ask' } : { name: 'ask', failure: error.message };
}

/** The part of the list's state that its file depends on. */
export interface ListedFiles {
  readonly kind: KindName;
  /** The query of the export. */
  readonly list: ListAddress;
  /** The number of its matches, if known. */
  readonly total: number | undefined;
  /** The shown ones. */
  readonly columns: readonly ListColumn[];
}

interface ExportDialogProps extends ListedFiles {
  readonly onClose: () => void;
}

/** Writes the list to a file. */
export function ExportDialog({ kind, list, total, columns, onClose }: ExportDialogProps) {
  const [wishes, setWishes] = useState(usual);
  const [step, setStep] = useState<Step>({ name: 'ask' });
  const { begin, stop } = useStoppable();
  const { format, spreadsheet, semicolon } = wishes;
  const isRead = format === 'csv' && wishes.columns === 'read';
  /** The columns of a table to import are collected first. */
  const readings = format === 'csv' && !isRead ? 2 : 1;
  const run = async () => {
    const signal = begin();
    const file = await openFile(nameFile(kinds[kind].plural, `.${format}`), contentTypes[format]);
    setStep({ name: 'running', done: 0 });
    let done = 0;
    async function* pages() {
      for await (const page of readPages(kind, orderedQueryOf(kind, list), signal)) {
        yield page;
        done += page.length;
        setStep({ name: 'running', done });
      }
    }
    try {
      const delimiter: DelimiterName = semicolon ? 'semicolon' : 'comma';
      const write = (text: string) => file.write(text);
      const wished = {
        ...{ kind, format, spreadsheet, delimiter },
        headingOf: (path: string) => headingOf(kind, path),
        // The name by which an import finds them again.
        fields:
          wishes.columns === 'shown'
            ? [...columns.map(({ path }) => path), kinds[kind].uniqueName]
            : undefined,
      } as const;
      const directory = new ApiDirectory(kind, signal);
      const written = isRead
        ? await new ReadableTable(columns, directory).write(pages(), delimiter, write)
        : await engine.exportFile(wished, directory, pages, write);
      await file.close();
      setStep({ name: 'over', written });
    } catch (error) {
      await file.abort();
      throw error;
    }
  };
  const isRunning = step.name === 'running';
  return (
    <Dialog title={files.exportTitle[kind]} {...(isRunning ? {} : { onClose })}>
      {step.name === 'running' && (
        <Running label={files.progressLabel} done={total && step.done / readings / total} onStop={stop}>
          {printNumber(Math.floor(step.done / readings))}
          {total !== undefined && ` / ${printNumber(total)}`}
        </Running>
      )}
      {step.name === 'over' && (
        <>
          <p role="status">{files.exported(texts.kinds[kind].count(step.written))}</p>
          <p class="actions">
            <CloseButton onClose={onClose} />
          </p>
        </>
      )}
      {step.name === 'ask' && (
        <AskingForm onSubmit={() => run().catch((error) => setStep(stepAfter(error)))}>
          {step.failure !== undefined && <Notice tone="bad" title={files.exportFailed} text={step.failure} />}
          <p class="quiet">
            {files.exportAbout(
              total === undefined ? texts.kinds[kind].plural : texts.kinds[kind].count(total),
            )}
          </p>
          <WishesForm wishes={wishes} onChange={(change) => setWishes({ ...wishes, ...change })} />
          <FormButtons submit={files.exportNow} onCancel={onClose} />
        </AskingForm>
      )}
    </Dialog>
  );
}
