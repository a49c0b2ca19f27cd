import type { Catalog } from '../en/index.ts';

export const resource: Catalog['resource'] = {
  back: {
    list: 'Zurück zur Liste',
    group: 'Zurück zur Gruppe',
    activity: 'Zurück zur Aktivität',
    overview: 'Zurück zum Überblick',
    access: 'Zurück',
    webhooks: 'Zurück zu den Webhooks',
  },
  tabs: {
    user: { first: 'Überblick', groups: 'Gruppen', history: 'Verlauf' },
    group: { first: 'Mitglieder', details: 'Angaben', history: 'Verlauf' },
  },
  edit: 'Bearbeiten',
  endEdit: 'Bearbeiten beenden',
  reports: (count) => `Direkt unterstellt (${count})`,
  saveKey: 'Strg + S oder ⌘ S',
  groups: {
    removeFrom: (group) => `Aus ${group} entfernen`,
    removed: (name, group) => `${name} wurde aus ${group} entfernt.`,
    added: (name, group) => `${name} ist wieder in ${group}.`,
    all: 'Alle Gruppen dieses Benutzers',
  },
  id: 'ID',
  created: 'Angelegt',
  lastModified: 'Zuletzt geändert',
  activated: 'Aktiviert',
  deactivated: 'Deaktiviert',
  saveFirst: 'Zuerst die Änderungen speichern oder verwerfen.',
  save: 'Speichern',
  saving: 'Wird gespeichert …',
  saved: 'Gespeichert',
  create: 'Anlegen',
  discard: 'Verwerfen',
  unsaved: 'Nicht gespeicherte Änderungen, in diesem Tab aufbewahrt',
  wasCreated: (name) => `${name} wurde angelegt.`,
  wasCreatedBefore: (name) =>
    `${name} wurde schon beim ersten Versuch angelegt. Spätere Änderungen sind noch nicht gespeichert.`,
  createdAgain: 'Erneut angelegt',
  keptHere: 'Alle Eingaben sind noch da.',
  unknown: 'Es ist nicht bekannt, ob die Änderung gespeichert ist',
  unknownText: {
    user: 'Der Dienst hat nicht rechtzeitig geantwortet, und der Benutzer lässt sich gerade nicht lesen.',
    group: 'Der Dienst hat nicht rechtzeitig geantwortet, und die Gruppe lässt sich gerade nicht lesen.',
  },
  checkAgain: 'Erneut prüfen',
  foundDone: (done) => `${done}, auch wenn der Dienst es nicht rechtzeitig bestätigt hat`,
  foundDoneText: {
    user: 'Der Benutzer wurde noch einmal gelesen: Die Änderung ist gespeichert.',
    group: 'Die Gruppe wurde noch einmal gelesen: Die Änderung ist gespeichert.',
  },
  notDone: 'Es wurde nichts geändert',
  notDoneText: {
    user: 'Der Dienst hat nicht rechtzeitig geantwortet. Der Benutzer wurde noch einmal gelesen: Die Änderung ist nicht gespeichert. Bitte noch einmal versuchen.',
    group:
      'Der Dienst hat nicht rechtzeitig geantwortet. Die Gruppe wurde noch einmal gelesen: Die Änderung ist nicht gespeichert. Bitte noch einmal versuchen.',
  },
  gone: {
    user: 'Dieser Benutzer wurde inzwischen gelöscht',
    group: 'Diese Gruppe wurde inzwischen gelöscht',
  },
  createAgain: 'Mit diesen Angaben neu anlegen',
  deleteTitle: (name) => `${name} löschen?`,
  beforeDeletion: {
    user: 'Solange der Verlauf ihn enthält, lässt sich ein gelöschter Benutzer unter „Aktivität › Gelöscht“ wiederherstellen, mit den Gruppen. Um nur den Zugang zu sperren: deaktivieren.',
    group:
      'Solange der Verlauf sie enthält, lässt sich eine gelöschte Gruppe unter „Aktivität › Gelöscht“ wiederherstellen, mit den Mitgliedern. Die Mitglieder bleiben im Verzeichnis.',
  },
  erase: {
    user: 'Auch alle persönlichen Werte im Verlauf löschen.',
    group: 'Auch alle Werte im Verlauf löschen.',
  },
  confirm: {
    user: 'Zum Bestätigen den Benutzernamen eingeben',
    group: 'Zum Bestätigen den Gruppennamen eingeben',
  },
  deleteAndErase: 'Löschen und endgültig tilgen',
  deleting: 'Wird gelöscht …',
  wasDeleted: (name) => `${name} wurde gelöscht.`,
  overtaken: {
    user: 'Dieser Benutzer wurde inzwischen von jemand anderem geändert',
    group: 'Diese Gruppe wurde inzwischen von jemand anderem geändert',
  },
  overtakenText: {
    user: 'Es wurde nichts gelöscht. Die Seite hinter diesem Dialog zeigt den Benutzer, wie er jetzt ist. Er lässt sich immer noch löschen.',
    group:
      'Es wurde nichts gelöscht. Die Seite hinter diesem Dialog zeigt die Gruppe, wie sie jetzt ist. Sie lässt sich immer noch löschen.',
  },
  developers: 'Für Entwickler: JSON, XML und curl',
  format: 'Format',
  unreadable: 'Die Daten ließen sich nicht lesen.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  notCopied: 'Der Browser lässt das Kopieren hier nicht zu. Bitte den Text markieren.',
};
