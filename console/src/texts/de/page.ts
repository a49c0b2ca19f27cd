import type { Catalog } from '../en/index.ts';

export const page: Catalog['page'] = {
  product: 'Benutzerverzeichnis',
  skip: 'Zum Inhalt springen',
  directory: 'Verzeichnis',
  unsaved: 'Nicht gespeichert:',
  signingIn: 'Anmeldung läuft …',
  cancel: 'Abbrechen',
  close: 'Schließen',
  stop: 'Anhalten',
  stopping: 'Wird angehalten …',
  files: {
    menu: 'Import und Export',
    import: 'Importieren …',
    export: 'Exportieren …',
    title: 'Import',
    loadFailed: 'Der Import konnte nicht geladen werden. Verbindung prüfen und die Seite neu laden.',
  },
};
