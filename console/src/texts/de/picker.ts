import type { Catalog } from '../en/index.ts';

export const picker: Catalog['picker'] = {
  hint: { user: 'Name, E-Mail-Adresse, Nummer …', group: 'Name, Beschreibung …' },
  noMatch: { user: 'Kein Benutzer passt.', group: 'Keine Gruppe passt.' },
  more: 'Es gibt noch mehr: Tippen grenzt die Auswahl ein.',
  unknownCode: 'Diesen Code kennt der Browser nicht.',
  open: (name) => `${name} öffnen`,
  notInDirectory: 'Kein Benutzer dieses Verzeichnisses.',
};
