import type { Catalog } from '../en/index.ts';

export const form: Catalog['form'] = {
  about: { user: 'Daten des Benutzers', group: 'Daten der Gruppe' },
  required: 'Pflichtfeld',
  add: (item) => `${item} hinzufügen`,
  remove: (item) => `${item} entfernen`,
  entryName: 'Name',
  entryValue: 'Wert',
  nameMissing: 'braucht einen Namen',
  nameTwice: 'heißt wie ein anderes',
  mistakes: 'Bitte berichtigen:',
};
