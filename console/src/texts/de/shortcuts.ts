import type { Catalog } from '../en/index.ts';

export const shortcuts: Catalog['shortcuts'] = {
  title: 'Tastenkürzel',
  search: 'Zur Suche oder zum ersten Filter',
  create: 'Benutzer oder Gruppe anlegen',
  edit: 'Benutzer oder Gruppe bearbeiten',
  saveKey: 'Strg + S, ⌘ S',
  toRows: 'Von der Suche in die erste Zeile',
  next: 'Nächste Zeile',
  previous: 'Vorige Zeile',
  open: 'Zeile öffnen',
  select: 'Zeile auswählen oder abwählen',
  actions: 'Zu den Aktionen für die Auswahl',
  undo: 'Rückgängig machen, solange die Meldung steht',
  close: 'Dialog oder Menü schließen',
  help: 'Diese Liste anzeigen',
  enter: 'Eingabe',
  shift: 'Umschalt',
  range: 'Alle Zeilen ab der zuletzt gewählten auswählen',
  escape: 'Esc',
  whereOff: 'In Textfeldern und Dialogen lösen einzelne Tasten nichts aus.',
  singleKeys: 'Kürzel aus einer einzelnen Taste in diesem Browser verwenden',
};
