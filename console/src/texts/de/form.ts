import type { Catalog } from '../en/index.ts';

export const form: Catalog['form'] = {
  about: { user: 'Daten des Benutzers', group: 'Daten der Gruppe' },
  sections: {
    person: 'Person',
    job: 'Stelle',
    contact: 'Kontakt',
    access: 'Rollen und Berechtigungen',
    organization: 'Organisation',
    regional: 'Sprache und Region',
    names: 'Titel und weitere Namen',
    group: 'Gruppe',
    more: 'Weiteres',
  },
  required: 'Pflichtfeld',
  add: (item) => `${item} hinzufügen`,
  remove: (item) => `${item} entfernen`,
  entryName: 'Name',
  entryValue: 'Wert',
  nameMissing: 'braucht einen Namen',
  nameTwice: 'heißt wie ein anderes',
  mistakes: 'Bitte berichtigen:',
};
