import type { Catalog } from '../en/index.ts';

export const frame: Catalog['frame'] = {
  skip: 'Zum Inhalt springen',
  directory: 'Verzeichnis',
  unsaved: 'Nicht gespeichert:',
  signingIn: 'Anmeldung läuft …',
};
