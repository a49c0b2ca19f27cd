import { printNumber } from '../../language.ts';
import type { Catalog } from '../en/index.ts';

export const change: Catalog['change'] = {
  nothing: 'leer',
  flags: { true: 'Ja', false: 'Nein' },
  overtaken: (name) => `${name} wurde inzwischen von jemand anderem geändert`,
  since: 'Nach dem Öffnen geändert:',
  notSaved: 'Von den eigenen Änderungen ist noch keine gespeichert.',
  versions: { base: 'Ursprünglich', theirs: 'Andere Version', mine: 'Eigene Version' },
  merged: 'Ergebnis',
  settled: (count) => `Weitere Änderungen, zusammengeführt: ${printNumber(count)}`,
  conflict: 'Auf beiden Seiten geändert: bitte wählen.',
  compare: 'Vergleichen',
  differences: 'Unterschiede',
  otherGroups: 'Weitere Gruppen',
  shared: 'Gruppen beider:',
  equal: 'Alle Werte sind gleich.',
  save: 'Diese Version speichern',
  edit: 'Weiter im Formular',
  discard: 'Eigene Änderungen verwerfen',
  left: (count) =>
    count === 1 ? 'Noch 1 Auswahl zu treffen' : `Noch ${printNumber(count)} Auswahlen zu treffen`,
};
