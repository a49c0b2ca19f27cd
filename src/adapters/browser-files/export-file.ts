/** Exports documents to a file, page by page. */
import type { Kind } from '../../domain/kinds/kind.ts';
import { canonicalUuid } from '../../domain/validation/plain-values.ts';
import { findColumns, headingRules, leftOutEnd } from '../formats/csv/column-names.ts';
import { type Column, headingsOf } from '../formats/csv/columns.ts';
import { printCells } from '../formats/csv/row-cells.ts';
import { delimiters } from '../formats/port/file-format.ts';
import { DirectoryTarget } from './directory-target.ts';
import type { Directory, Document, ExportWishes, FileEngine } from './engine.ts';
import { codecOf, kindNamed } from './formats.ts';

const isWithin = (fields: readonly string[], path: string): boolean =>
  fields.some((field) => path === field || path.startsWith(`${field}.`));

/**
 * The columns of these fields, with headings in words, and those that identify the resources; users are shown by name instead of id. Without
 * fields: all columns, even for an empty directory, with ids and beside them the names, which an import ignores.
 */
function chooseColumns(
  { shown, unique }: Kind,
  { fields, headingOf }: ExportWishes,
  paths: readonly string[],
) {
  const { find } = headingRules(shown, new Map());
  const nameColumn = (path: string): string | undefined => {
    const named = `@${path}`;
    if (find(named)?.path !== named) return undefined;
    return headingsOf(shown)[named]?.find((heading) => find(heading)?.path === named) ?? named;
  };
  if (fields !== undefined)
    return paths
      .filter((path) => isWithin([unique.member, ...fields], path))
      .map((path) => {
        const named = nameColumn(path);
        const heading = headingOf(named === undefined ? path : `@${path}`);
        return heading.startsWith('@') ? (named ?? path) : heading;
      });
  return paths.flatMap((path) => {
    const named = nameColumn(path);
    return named === undefined ? [path] : [path, `${named}${leftOutEnd}`];
  });
}

/** The names of users that documents refer to, by id. */
class UserNames {
  readonly byId = new Map<string, string>();
  readonly #columns: readonly Column[];
  readonly #users: DirectoryTarget;

  constructor(kind: Kind, headings: readonly string[], directory: Directory) {
    const columns = findColumns(kind.shown, headings) as readonly Column[];
    this.#columns = columns.filter(({ isNamed }) => isNamed);
    this.#users = new DirectoryTarget(kind, directory);
  }

  /** A user who is gone, or whose name looks like an id, stays an id. */
  async add(page: readonly Document[]): Promise<void> {
    const ids = page.flatMap((document) => printCells(this.#columns, document));
    const asked = new Set(ids.filter((id) => canonicalUuid(id) !== undefined && !this.byId.has(id)));
    for (const [id, { value }] of await this.#users.findAll('user', [...asked])) {
      const { userName = id } = value as { readonly userName?: string };
      this.byId.set(id, canonicalUuid(userName) === undefined ? userName : id);
    }
  }
}

/** As `commands/files/export-resources.ts`, from pages of the API. */
export const exportFile: FileEngine['exportFile'] = async (wishes, directory, readPages, write) => {
  const { format, fields, spreadsheet, delimiter } = wishes;
  const kind = kindNamed(wishes.kind);
  const codec = codecOf(wishes.kind, format);
  const collector = codec.collectColumns?.();
  if (collector !== undefined)
    for await (const page of readPages()) for (const document of page) collector.add(document);
  const found = collector?.columns();
  const columns = found && chooseColumns(kind, wishes, found);
  const names = new UserNames(kind, columns ?? [], directory);
  const printer = codec.printer({
    ...{ columns, names: names.byId, spreadsheet },
    delimiter: delimiter && delimiters[delimiter],
  });
  await write(printer.open);
  let [written, between] = [0, ''];
  for await (const page of readPages()) {
    await names.add(page);
    let rows = '';
    for (const document of page) {
      collector?.add(document);
      rows += between + printer.row(document);
      between = printer.between;
    }
    await write(rows);
    written += page.length;
  }
  if (fields === undefined && collector?.size !== found?.length)
    throw new Error('entries got members meanwhile that the file has no columns for: export again');
  await write(printer.close);
  return written;
};
