import type { ListAddress } from '../address/address.ts';
import { Link, useDialog } from '../address/navigation.tsx';
import { closeMenu, Menu } from '../parts/menu.tsx';
import type { KindName } from '../schema/kinds.ts';
import { NotAllowed } from '../session/not-allowed.tsx';
import { scopeOf } from '../session/scopes.ts';
import { useScope } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { Lazy } from './lazy.tsx';

export interface ListedFiles {
  readonly kind: KindName;
  /** The query of the export. */
  readonly list: ListAddress;
  /** The number of its matches, if known. */
  readonly total: number | undefined;
  /** The paths of the shown columns. */
  readonly fields: readonly string[];
}

/** The menu for import and export. */
export function FilesMenu(listed: ListedFiles) {
  const { isOpen, open, close } = useDialog('export');
  const scope = scopeOf(listed.kind, 'write');
  const mayImport = useScope(scope);
  const { files } = texts;
  return (
    <>
      <Menu icon="transfer" class="files-menu" summary={<span class="unseen">{files.menu}</span>}>
        {mayImport ? (
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
      {isOpen && (
        <Lazy load={() => import('./export-dialog.tsx')}>
          {({ ExportDialog }) => <ExportDialog {...listed} onClose={close} />}
        </Lazy>
      )}
    </>
  );
}
