import { printNumber } from '../../language.ts';
import type { Catalog } from '../en/index.ts';

const count = (one: string, more: string) => (many: number) =>
  `${printNumber(many)} ${many === 1 ? one : more}`;

export const kinds: Catalog['kinds'] = {
  user: {
    plural: 'Benutzer',
    count: count('Benutzer', 'Benutzer'),
    new: 'Neuer Benutzer',
    hint: 'Name, E-Mail-Adresse, Nummer …',
    noMatch: 'Kein Benutzer passt.',
  },
  group: {
    plural: 'Gruppen',
    count: count('Gruppe', 'Gruppen'),
    new: 'Neue Gruppe',
    hint: 'Name, Beschreibung …',
    noMatch: 'Keine Gruppe passt.',
  },
  member: { plural: 'Mitglieder', count: count('Mitglied', 'Mitglieder') },
};
