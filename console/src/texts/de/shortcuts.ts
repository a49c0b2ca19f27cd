import type { Catalog } from '../en/index.ts';

export const shortcuts: Catalog['shortcuts'] = {
  title: 'Tastenkürzel',
  search: 'Suchen',
  create: 'Benutzer oder Gruppe anlegen',
  next: 'Nächste Zeile',
  previous: 'Vorige Zeile',
  open: 'Zeile öffnen',
  close: 'Dialog oder Menü schließen',
  help: 'Diese Liste anzeigen',
  enter: 'Eingabe',
  shiftSpace: 'Umschalt + Leertaste',
  range: 'Alle Zeilen seit der letzten auswählen',
  escape: 'Esc',
  whereOff: 'In Textfeldern und Dialogen lösen einzelne Tasten nichts aus.',
  singleKeys: 'Kürzel aus einer einzelnen Taste in diesem Browser verwenden',
};
