import { Link, useDialog } from '../address/navigation.tsx';
import { closeMenu, Menu } from '../parts/menu.tsx';
import { NotAllowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import type { ListedFiles } from './export-dialog.tsx';
import { FileCode } from './import-view.tsx';

interface FilesMenuProps extends ListedFiles {
  /** The list of a group's members, which no import changes. */
  readonly isOfGroup: boolean;
}

/** The menu for import and export. */
export function FilesMenu({ isOfGroup, ...listed }: FilesMenuProps) {
  const { isOpen, open, close } = useDialog('export');
  const scope = scopeOf(listed.kind, 'write');
  const mayImport = useScope(scope);
  const { files } = texts.page;
  return (
    <>
      <Menu icon="transfer" class="files-menu" summary={<span class="unseen">{files.menu}</span>}>
        {isOfGroup ? null : mayImport ? (
          <Link class="button" view={{ name: 'import', kind: listed.kind }}>
            {files.import}
          </Link>
        ) : (
          <>
            <button type="button" disabled>
              {files.import}
            </button>
            <NotAllowed scopes={[scope]} />
          </>
        )}
        <button
          type="button"
          onClick={({ currentTarget }) => {
            closeMenu(currentTarget);
            open();
          }}
        >
          {files.export}
        </button>
      </Menu>
      {isOpen && <FileCode>{({ ExportDialog }) => <ExportDialog {...listed} onClose={close} />}</FileCode>}
    </>
  );
}
