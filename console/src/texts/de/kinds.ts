import { printNumber } from '../../language.ts';
import type { Catalog } from '../en/index.ts';

const count = (one: string, more: string) => (many: number) =>
  `${printNumber(many)} ${many === 1 ? one : more}`;

export const kinds: Catalog['kinds'] = {
  user: { plural: 'Benutzer', count: count('Benutzer', 'Benutzer'), new: 'Neuer Benutzer' },
  group: { plural: 'Gruppen', count: count('Gruppe', 'Gruppen'), new: 'Neue Gruppe' },
  member: { plural: 'Mitglieder', count: count('Mitglied', 'Mitglieder') },
};
