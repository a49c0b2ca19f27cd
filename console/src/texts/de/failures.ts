import type { Catalog } from '../en/index.ts';
import { violations } from './violations.ts';

export const failures: Catalog['failures'] = {
  violations,
  tryAgain: 'Noch einmal versuchen',
  tryAgainIn: (seconds) => `Noch einmal versuchen (${seconds} s)`,
  explained: 'Was das bedeutet',
  inAMoment: 'Es wurde nichts geändert. Bitte gleich noch einmal versuchen.',
  inSeconds: (seconds) => `Es wurde nichts geändert. Bitte in ${seconds} s noch einmal versuchen.`,
  400: 'Die Anfrage ist nicht gültig',
  403: 'Das ist nicht erlaubt',
  404: () => 'Nicht gefunden',
  '404Text':
    'Womöglich wurde der Eintrag gelöscht oder ist mit diesen Zugangsdaten nicht sichtbar. Die Suche in der Liste hilft weiter.',
  413: 'Das sind zu viele Daten',
  '413Text':
    'Der Eintrag ist zu groß. Bitte lange Texte kürzen oder Einträge aus Listen entfernen. Alle Eingaben sind noch da.',
  428: 'Die Änderung kam ohne Schutz vor dem Überschreiben an',
  '428Text':
    'Etwas auf dem Weg zum Dienst entfernt If-Match. Bitte an die Administratoren des Gateways wenden. Es wurde nichts geändert.',
  503: 'Der Dienst ist überlastet oder nicht erreichbar',
  offline: 'Keine Verbindung',
  offlineText: 'Alle Eingaben sind noch da. Weiter geht es, sobald die Verbindung wieder steht.',
  unanswered: 'Der Dienst antwortet nicht',
  unansweredText:
    'Womöglich startet er gerade neu, oder die Verbindung ist schlecht. Bitte gleich noch einmal versuchen.',
};
