import type { Catalog } from '../en/index.ts';

export const page: Catalog['page'] = {
  skip: 'Zum Inhalt springen',
  directory: 'Verzeichnis',
  unsaved: 'Nicht gespeichert:',
  signingIn: 'Anmeldung läuft …',
  cancel: 'Abbrechen',
  close: 'Schließen',
  stop: 'Anhalten',
  stopping: 'Wird angehalten …',
};
