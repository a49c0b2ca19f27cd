/** What only import and export need, the code of the commands included: loaded when one of them is opened. */
export async function loadImport() {
  const [{ ImportPage }, { engine }] = await Promise.all([import('./import-page.tsx'), import('user-files')]);
  return { ImportPage, engine };
}

export async function loadExport() {
  const [{ ExportDialog }, { engine }] = await Promise.all([
    import('./export-dialog.tsx'),
    import('user-files'),
  ]);
  return { ExportDialog, engine };
}
