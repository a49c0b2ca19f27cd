import type { Catalog } from '../en/index.ts';

export const page: Catalog['page'] = {
  product: 'Benutzerverzeichnis',
  skip: 'Zum Inhalt springen',
  directory: 'Verzeichnis',
  unsaved: 'Nicht gespeichert:',
  signingIn: 'Anmeldung läuft …',
  cancel: 'Abbrechen',
  undo: 'Rückgängig',
  isUndone: 'Zurückgenommen',
  close: 'Schließen',
  stop: 'Anhalten',
  stopping: 'Wird angehalten …',
  overview: {
    title: 'Überblick',
    figures: {
      users: 'Alle Benutzer',
      active: 'Aktiv',
      ending: 'Enden in 30 Tagen',
      withoutManager: 'Ohne Führungskraft',
      inNoGroup: 'In keiner Gruppe',
      groups: 'Alle Gruppen',
      empty: 'Ohne Mitglieder',
    },
    changes: 'Neueste Änderungen',
    deletions: 'Neueste Löschungen',
    imports: 'Durch Importe angelegt',
    orMore: (count) => `${count} oder mehr`,
  },
  files: {
    menu: 'Import und Export',
    import: 'Importieren …',
    export: 'Exportieren …',
    title: 'Import',
    loadFailed: 'Der Import konnte nicht geladen werden. Verbindung prüfen und die Seite neu laden.',
  },
};
