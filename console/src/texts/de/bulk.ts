import { printNumber } from '../../parts/numbers.ts';
import type { Catalog } from '../en/index.ts';

export const bulk: Catalog['bulk'] = {
  selection: { user: 'Ausgewählte Benutzer', group: 'Ausgewählte Gruppen' },
  selected: (count) => `${printNumber(count)} ausgewählt`,
  clear: 'Auswahl aufheben',
  offers: {
    activate: 'Aktivieren …',
    deactivate: 'Deaktivieren …',
    delete: 'Löschen …',
    join: 'Zu Gruppe hinzufügen …',
    leave: 'Aus Gruppe entfernen …',
    addMembers: 'Mitglieder hinzufügen …',
  },
  titles: {
    activate: (what) => `${what} aktivieren`,
    deactivate: (what) => `${what} deaktivieren`,
    delete: (what) => `${what} löschen`,
    join: (what) => `${what} zu einer Gruppe hinzufügen`,
    leave: (what, group) => `${what} aus ${group} entfernen`,
    addMembers: (group) => `Mitglieder zu ${group} hinzufügen`,
  },
  about: {
    activate: 'Sie können sich wieder anmelden.',
    deactivate: 'Sie bleiben im Verzeichnis und können sich nicht mehr anmelden.',
    delete: 'Das lässt sich nicht rückgängig machen.',
    leave: 'Sie bleiben im Verzeichnis.',
  },
  buttons: {
    activate: 'Aktivieren',
    deactivate: 'Deaktivieren',
    delete: 'Endgültig löschen',
    leave: 'Entfernen',
    join: 'Hinzufügen',
    addMembers: (what) => `${what} hinzufügen`,
  },
  confirmNumber: (count) => `Zum Bestätigen die Anzahl (${printNumber(count)}) eingeben`,
  findUsers: 'Benutzer suchen',
  findGroup: 'Gruppe suchen',
  leaveOut: (name) => `${name} weglassen`,
  cancel: 'Abbrechen',
  close: 'Schließen',
  progress: 'Fortschritt',
  of: (done, all) => `${printNumber(done)} von ${printNumber(all)}`,
  stop: 'Anhalten',
  stopping: 'Wird angehalten …',
  done: (what) => `${what} erledigt`,
  failed: (count) => `${printNumber(count)} fehlgeschlagen`,
  notBegun: (count) => `${printNumber(count)} nicht begonnen`,
  leftEarly: (title, summary) => `Vor dem Ende verlassen. ${title}: ${summary}`,
  staySelected: 'Was nicht erledigt ist, bleibt ausgewählt.',
  reasons: {
    user: {
      gone: 'Dieser Benutzer wurde inzwischen gelöscht.',
      overtaken:
        'Dieser Benutzer wurde seit der Auswahl von jemand anderem geändert und blieb deshalb, wie er ist. Bitte erst ansehen.',
      notDone:
        'Der Dienst hat nicht rechtzeitig geantwortet. Ein zweiter Blick zeigt: Es wurde nichts geändert.',
      unknown:
        'Der Dienst hat nicht rechtzeitig geantwortet, und es ist nicht bekannt, ob die Änderung gespeichert ist. Bitte den Benutzer ansehen.',
    },
    group: {
      gone: 'Diese Gruppe wurde inzwischen gelöscht.',
      overtaken:
        'Diese Gruppe wurde seit der Auswahl von jemand anderem geändert und blieb deshalb, wie sie ist. Bitte erst ansehen.',
      notDone:
        'Der Dienst hat nicht rechtzeitig geantwortet. Ein zweiter Blick zeigt: Es wurde nichts geändert.',
      unknown:
        'Der Dienst hat nicht rechtzeitig geantwortet, und es ist nicht bekannt, ob die Änderung gespeichert ist. Bitte die Gruppe ansehen.',
    },
  },
};
