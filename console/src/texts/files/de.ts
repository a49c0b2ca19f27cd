import { printNumber } from '../../language.ts';
import { violations } from './de-violations.ts';
import type { files as english } from './en.ts';

const count = (value: number, one: string, many: string): string =>
  `${printNumber(value)} ${value === 1 ? one : many}`;

export const files: typeof english = {
  violations,
  kind: 'Die Datei enthält',
  choose: 'Datei auswählen',
  chooseAnother: 'Andere Datei auswählen',
  drop: 'oder hier ablegen',
  formats: 'CSV, JSON, JSON Lines oder XML, auch mit gzip gepackt',
  unknownFormat: (name) =>
    `Das Format von ${name} ist unbekannt. Arbeitsmappen als CSV speichern; andere Dateien brauchen eine Endung wie .csv, .json, .jsonl oder .xml.`,
  unreadable: 'Die Datei kann nicht gelesen werden',
  size: (bytes) => `${printNumber(Math.ceil(bytes / 1024))} KB`,
  columns: 'Spalten',
  columnsHint:
    'Die ersten Zeilen der Datei. Für jede Überschrift das Feld auswählen, in das die Zellen übernommen werden.',
  previewHint: 'Die ersten Einträge der Datei.',
  fieldFor: (heading) => `Feld für „${heading}“`,
  leftOutNames: (names: string) => `Nicht übernommen werden: ${names}`,
  opposite: (field: string) => `${field} (das Gegenteil)`,
  named: (field: string) => `${field} (Benutzername oder ID)`,
  leftOut: 'Nicht übernehmen',
  reading: 'Wie die Datei gelesen wird',
  encoding: 'Zeichencodierung',
  delimiter: 'Trennzeichen',
  recognized: (what) => `Erkannt: ${what}`,
  automatic: 'Erkennen',
  delimiters: { comma: 'Komma', semicolon: 'Semikolon', tab: 'Tabulator' },
  dates: 'Daten wie 1.2.2026',
  dateOrders: {
    'day-first': 'Tag zuerst: 31.12.2026',
    'month-first': 'Monat zuerst: 12/31/2026',
  },
  booleans: 'Wörter für wahr und falsch',
  booleansHint: 'Zusätzlich zu ja/nein, wahr/falsch, 1/0 und ähnlichen. Beispiel: an/aus',
  booleansWrong: 'Zwei verschiedene Wörter mit einem Schrägstrich dazwischen eingeben.',
  emptyRemoves: 'Leere Zellen entfernen den Wert (sonst bleibt er unverändert)',
  spreadsheet: 'Apostrophe entfernen, die Zellen davor schützen, als Formel ausgeführt zu werden',
  lastLine: 'Letzte Zeile ohne Zeilenumbruch übernehmen',
  mode: 'Vorgehen',
  modes: {
    create: 'Neue Einträge anlegen; vorhandene, die abweichen, ablehnen',
    upsert: 'Neue Einträge anlegen und vorhandene ändern',
    update: 'Vorhandene Einträge ändern; neue ablehnen',
  },
  match: 'Vorhandene Einträge finden über',
  matchId: 'ID, sonst Name',
  check: 'Prüfen',
  start: 'Importieren',
  withCorrections: (rows) => `einschließlich ${count(rows, 'korrigierter Zeile', 'korrigierter Zeilen')}`,
  goOn: 'Den Rest importieren',
  checkHint: 'Die Prüfung liest die ganze Datei und zeigt, was ein Import bewirken würde. Sie ändert nichts.',
  progress: (rows) => `${count(rows, 'Zeile', 'Zeilen')} bisher`,
  progressLabel: 'Fortschritt',
  checked: 'Geprüft. Nichts wurde geändert.',
  imported: 'Importiert',
  importedInPart: 'Teilweise importiert',
  stopped:
    'Angehalten. Was bis dahin importiert wurde, bleibt erhalten und wird übergangen, wenn der Import weitergeht.',
  checkStopped: 'Die Prüfung wurde angehalten. Nichts wurde geändert.',
  left: (rows) =>
    `Der Import wurde vor dem Ende verlassen, nach ${count(rows, 'Zeile', 'Zeilen')}. Die Datei kann erneut importiert werden.`,
  notFinished:
    'Der Import wurde nicht abgeschlossen. Was bis dahin importiert wurde, bleibt erhalten; die Datei kann erneut importiert werden.',
  checkNotFinished: 'Die Prüfung wurde nicht abgeschlossen. Nichts wurde geändert.',
  created: (value, isDryRun) =>
    isDryRun ? `${count(value, 'würde', 'würden')} angelegt` : `${printNumber(value)} angelegt`,
  changed: (value, isDryRun) =>
    isDryRun ? `${count(value, 'würde', 'würden')} geändert` : `${printNumber(value)} geändert`,
  unchanged: (value) => `${printNumber(value)} unverändert`,
  rejected: (value, isDryRun) =>
    isDryRun ? `${count(value, 'würde', 'würden')} abgelehnt` : `${printNumber(value)} abgelehnt`,
  skipped: (value) => `${printNumber(value)} ausgelassen`,
  skippedRows: 'Ausgelassene Zeilen',
  mistakes: 'Fehler',
  row: (line) => `Zeile ${line}`,
  cell: (name) => `Zelle ${name}`,
  lineAt: (line, column) => `Zeile ${line}, Spalte ${column}`,
  valueAt: (position) => `Wert ${position}`,
  rowText: 'Wie es in der Datei steht',
  otherCells: (value) => (value === 1 ? 'Die andere Zelle' : `Die ${value} anderen Zellen`),
  moreRefused: (value) =>
    `${count(value, 'weitere Zeile ist', 'weitere Zeilen sind')} abgelehnt. Die Datei der abgelehnten Zeilen enthält alle.`,
  checkAgain: 'Noch einmal prüfen',
  importOthers: 'Die anderen Zeilen importieren',
  importCorrected: 'Mit den Korrekturen importieren',
  skip: 'Diese Zeile auslassen',
  include: 'Diese Zeile aufnehmen',
  importRefused: 'Korrigierte Zeilen importieren',
  rejectsHint:
    'Die Datei der abgelehnten Zeilen nennt neben jeder Zeile den Grund. Sie kann auch dort korrigiert und anstelle der ersten Datei importiert werden.',
  rejects: 'Abgelehnte Zeilen herunterladen',
  toImported: 'Änderungen dieses Imports anzeigen',
  toCreated: { user: 'Heute angelegte Benutzer anzeigen', group: 'Heute angelegte Gruppen anzeigen' },
  templateHint: (field) =>
    `Die erste Zeile einer Tabelle enthält Überschriften in beliebiger Reihenfolge; nur „${field}“ muss ausgefüllt sein.`,
  template: 'Vorlage herunterladen',
  toList: { user: 'Alle Benutzer anzeigen', group: 'Alle Gruppen anzeigen' },
  exportNow: 'Exportieren',
  exportTitle: { user: 'Benutzer exportieren', group: 'Gruppen exportieren' },
  exportAbout: (what) =>
    `${what}: alle, die der Suche und den Filtern der Liste entsprechen, in ihrer Reihenfolge.`,
  format: 'Format',
  formatNames: { csv: 'CSV', json: 'JSON', xml: 'XML', jsonl: 'JSON Lines' },
  whichColumns: 'Spalten',
  shownColumns: 'Die Spalten der Liste',
  readColumns: 'Die Spalten der Liste, zum Lesen',
  allColumns: 'Alle Felder mit einem Wert',
  columnNames: {
    shown: 'Ein Import findet die Felder an den Überschriften.',
    read: 'Namen, Vorgesetzte und Status in Worten, wie die Liste sie zeigt. Ein Import liest sie nicht.',
    all: 'Ein Import liest die Überschriften, etwa emails.0.value für die erste E-Mail-Adresse. Vorgesetzte stehen darin mit ID und, zum Lesen, mit Benutzernamen.',
  },
  forSpreadsheet:
    'Für eine Tabellenkalkulation: Datei als UTF-8 kennzeichnen und Zellen schützen, die als Formel ausgeführt würden',
  semicolon: 'Semikolon zwischen den Zellen, wie es Tabellenkalkulationen mit Dezimalkomma erwarten',
  exported: (what) => `${what} exportiert.`,
  exportFailed: 'Der Export ist fehlgeschlagen. Es gibt keine Datei.',
};
