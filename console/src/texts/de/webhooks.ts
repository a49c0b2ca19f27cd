import { printNumber } from '../../language.ts';
import type { Catalog } from '../en/index.ts';

export const webhooks: Catalog['webhooks'] = {
  title: 'Webhooks',
  upToDate: 'Auf dem neuesten Stand',
  behind: (count) => `${printNumber(count)} ${count === 1 ? 'Eintrag' : 'Einträge'} im Rückstand`,
  notBegun: 'Noch nicht begonnen',
  disabled: 'Abgeschaltet: Der Empfänger hat mit 410 geantwortet',
  gap: 'Lücke noch zu melden',
  lastAttempt: 'Letzter Versuch:',
  answered: (status) => `Antwort ${status}`,
  tooLate: 'keine Antwort in der Frist',
  unreachable: (code) => `keine Antwort (${code})`,
  setAside: (count) =>
    count === 0
      ? 'Keine Änderung zurückgestellt'
      : `${printNumber(count)} ${count === 1 ? 'Änderung' : 'Änderungen'} zurückgestellt`,
  toEnable: 'Ist der Empfänger wieder da, führt ein Betreiber des Dienstes diesen Befehl aus:',
  toReplay: 'Zum erneuten Senden führt ein Betreiber des Dienstes diesen Befehl aus:',
  limited: 'Das Zugriffsprofil verbirgt, wie weit die Empfänger sind.',
  none: 'Es gibt keine Empfänger',
  noneText:
    'Ein Betreiber des Dienstes nennt sie in einer Datei (Einstellung USERS_WEBHOOKS_FILE), jeden mit URL und Geheimnis:',
};
