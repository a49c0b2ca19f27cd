import { useMemo } from 'preact/hooks';
import { engine } from 'user-files';
import type { Column, FileKindName, Preview } from 'user-files/types';
import { language } from '../language.ts';
import { texts } from '../texts/texts.ts';

/** A custom attribute of users named as the heading, as paths of columns have it. */
const ownAttribute = (heading: string): string => `attributes.${heading.replace(/[.\\]/g, '\\$&')}`;

const labelOf = ({ path, labels }: Column): string => labels[language][0] ?? path;

interface HeadingChoiceProps {
  readonly heading: string;
  /** Empty: left out. */
  readonly path: string;
  readonly columns: readonly Column[];
  readonly hasAttributes: boolean;
  readonly onChoose: (path: string) => void;
}

function HeadingChoice({ heading, path, columns, hasAttributes, onChoose }: HeadingChoiceProps) {
  const own = ownAttribute(heading);
  const isNamed = columns.some((column) => column.path === path);
  return (
    <select
      aria-label={texts.files.fieldFor(heading)}
      value={path}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{texts.files.leftOut}</option>
      {!isNamed && path !== '' && path !== own && <option value={path}>{path}</option>}
      {columns.map((column) => (
        <option key={column.path} value={column.path}>
          {labelOf(column)}
        </option>
      ))}
      {hasAttributes && heading !== '' && <option value={own}>{texts.files.ownAttribute(heading)}</option>}
    </select>
  );
}

interface FileColumnsProps {
  readonly kind: FileKindName;
  readonly preview: Preview;
  /** Of a table, by heading. Left out: the columns are what they are. */
  readonly chosen: ReadonlyMap<string, string> | undefined;
  readonly onChoose: (heading: string, path: string) => void;
}

/** The first rows, below the fields that they go into. */
export function FileColumns({ kind, preview, chosen, onChoose }: FileColumnsProps) {
  const columns = useMemo(() => engine.columnsOf(kind), [kind]);
  const { headings, rows } = preview;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class="table-frame" tabIndex={0} aria-label={texts.files.columns}>
      <table class="preview">
        <thead>
          <tr>
            {headings.map(({ heading }, at) => (
              <th key={at} scope="col">
                <bdi>{heading}</bdi>
              </th>
            ))}
          </tr>
          {chosen !== undefined && (
            <tr>
              {headings.map(({ heading }, at) => (
                <td key={at}>
                  <HeadingChoice
                    heading={heading}
                    path={chosen.get(heading) ?? ''}
                    columns={columns}
                    hasAttributes={kind === 'user'}
                    onChoose={(path) => onChoose(heading, path)}
                  />
                </td>
              ))}
            </tr>
          )}
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {headings.map(({ heading }, at) => (
                <td key={at} class={chosen !== undefined && !chosen.get(heading) ? 'quiet' : ''}>
                  <bdi>{cells[at] ?? ''}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
