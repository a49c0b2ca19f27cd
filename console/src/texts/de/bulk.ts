import { printNumber } from '../../language.ts';
import type { Catalog } from '../en/index.ts';

export const bulk: Catalog['bulk'] = {
  selection: { user: 'Ausgewählte Benutzer', group: 'Ausgewählte Gruppen' },
  selected: (count) => `${printNumber(count)} ausgewählt`,
  tooMany: (most) =>
    `Auf einmal lassen sich höchstens ${printNumber(most)} auswählen: Bitte die Liste durch eine Suche oder Filter eingrenzen.`,
  noneHere: ', nicht auf dieser Seite',
  selectAll: (count) => `Alle ${printNumber(count)} auswählen`,
  show: 'Anzeigen',
  clear: 'Aufheben',
  noneSelected: 'Eine Adresse enthält keine Auswahl. Bitte erst die Einträge auswählen, dann die Aktion.',
  offers: {
    activate: 'Aktivieren …',
    deactivate: 'Deaktivieren …',
    delete: 'Löschen …',
    edit: 'Ändern …',
    join: 'Zu Gruppe …',
    leave: 'Aus Gruppe …',
    addMembers: 'Mitglieder hinzufügen …',
  },
  titles: {
    activate: (what) => `${what} aktivieren`,
    deactivate: (what) => `${what} deaktivieren`,
    delete: (what) => `${what} löschen`,
    join: (what) => `${what} zu einer Gruppe hinzufügen`,
    leave: (what, group) => `${what} aus ${group} entfernen`,
    leaveSome: (what) => `${what} aus einer Gruppe entfernen`,
    edit: (what) => `${what} ändern`,
    addMembers: (group) => `Mitglieder zu ${group} hinzufügen`,
  },
  about: {
    activate: 'Aktive Benutzer können sich anmelden.',
    deactivate: 'Inaktive Benutzer bleiben im Verzeichnis, können sich aber nicht anmelden.',
    leave: 'Niemand wird aus dem Verzeichnis entfernt.',
  },
  buttons: {
    activate: 'Aktivieren',
    deactivate: 'Deaktivieren',
    delete: 'Löschen',
    leave: 'Entfernen',
    join: 'Hinzufügen',
    addMembers: (what) => `${what} hinzufügen`,
    edit: (what) => `${what} ändern`,
  },
  operation: 'Was geschehen soll',
  operations: { set: 'Setzen', clear: 'Leeren', add: 'Hinzufügen', remove: 'Entfernen' },
  values: {
    set: (field) => `${field}: neuer Wert`,
    add: (field) => `${field}: hinzufügen`,
    remove: (field) => `${field}: entfernen`,
  },
  editAbout: (what) => `Betrifft ${what}. Was schon so ist, bleibt, wie es ist.`,
  confirmNumber: (count) => `Zum Bestätigen ${printNumber(count)} eingeben`,
  undone: (done, failed) =>
    `${printNumber(done)} zurückgenommen${failed > 0 ? `, ${printNumber(failed)} fehlgeschlagen` : ''}.`,
  findUsers: 'Benutzer suchen',
  listHint: 'Oder eine Liste von Benutzernamen oder E-Mail-Adressen einfügen.',
  lost: (names) => `Kein Benutzer gefunden: ${names}`,
  isMember: 'Schon Mitglied',
  findGroup: 'Gruppe suchen',
  affected: 'Betroffen',
  leaveOut: (name) => `${name} weglassen`,
  progress: 'Fortschritt',
  of: (done, all) => `${printNumber(done)} von ${printNumber(all)}`,
  done: {
    activate: (what) => `${what} aktiviert`,
    deactivate: (what) => `${what} deaktiviert`,
    delete: (what) => `${what} gelöscht`,
    edit: (what) => `${what} geändert`,
    join: (what, group) => `${what} zu ${group} hinzugefügt`,
    leave: (what, group) => `${what} aus ${group} entfernt`,
  },
  failed: (count) => `${printNumber(count)} fehlgeschlagen`,
  notBegun: (count) => `${printNumber(count)} nicht begonnen`,
  leftEarly: (title, summary) => `Vor dem Ende verlassen. ${title}: ${summary}`,
  unchanged: (count) => `${printNumber(count)} schon wie gewünscht`,
  more: (count) => `und ${printNumber(count)} weitere`,
  staySelected: 'Was nicht erledigt ist, bleibt ausgewählt.',
  retry: 'Fehlgeschlagene erneut versuchen',
  download: 'Als Tabelle herunterladen',
  headings: ['ID', 'Name', 'Grund'],
  fileName: 'fehlgeschlagen.csv',
  reasons: {
    user: {
      gone: 'Dieser Benutzer wurde inzwischen gelöscht.',
      overtaken:
        'Dieser Benutzer wurde seit der Auswahl von jemand anderem geändert und blieb deshalb, wie er ist. Bitte erst ansehen.',
      'not-done':
        'Der Dienst hat nicht rechtzeitig geantwortet. Ein zweiter Blick zeigt: Es wurde nichts geändert.',
      unknown:
        'Der Dienst hat nicht rechtzeitig geantwortet, und es ist nicht bekannt, ob die Änderung gespeichert ist. Bitte den Benutzer ansehen.',
    },
    group: {
      gone: 'Diese Gruppe wurde inzwischen gelöscht.',
      overtaken:
        'Diese Gruppe wurde seit der Auswahl von jemand anderem geändert und blieb deshalb, wie sie ist. Bitte erst ansehen.',
      'not-done':
        'Der Dienst hat nicht rechtzeitig geantwortet. Ein zweiter Blick zeigt: Es wurde nichts geändert.',
      unknown:
        'Der Dienst hat nicht rechtzeitig geantwortet, und es ist nicht bekannt, ob die Änderung gespeichert ist. Bitte die Gruppe ansehen.',
    },
  },
};
