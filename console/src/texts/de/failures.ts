import type { Catalog } from '../en/index.ts';

const violations: Catalog['failures']['violations'] = [
  [/^is required$/, 'fehlt'],
  [/^another user has this userName$/, 'ist der Benutzername eines anderen Benutzers'],
  [/^another group has this displayName$/, 'ist der Name einer anderen Gruppe'],
  [/^must not contain spaces$/, 'darf keine Leerzeichen enthalten'],
  [/^must not begin or end with a space$/, 'darf nicht mit einem Leerzeichen beginnen oder enden'],
  [/^(.*) is not allowed in a userName$/, 'darf dieses Zeichen nicht enthalten: $1'],
  [/^must be one address.*$/, 'muss genau eine Adresse sein, etwa ada@example.org'],
  [/^must be a BCP 47 language tag.*$/, 'muss ein Sprachcode sein, etwa de-DE'],
  [/^must be shaped like an IANA time zone.*$/, 'muss eine Zeitzone sein, etwa Europe/Berlin'],
  [/^must be two letters \(ISO 3166-1\).*$/, 'muss ein Ländercode sein, etwa DE'],
  [/^must be base64.*$/, 'muss Base64 sein, ohne Leerzeichen und Zeilenenden'],
  [
    /^must have names of up to 64 letters.*$/,
    'braucht Namen aus höchstens 64 Buchstaben, Ziffern, _ und -, mit einem Buchstaben am Anfang',
  ],
  [/^must have at least (\d+) characters.*$/, 'muss mindestens $1 Zeichen lang sein'],
  [/^must have at most (\d+) characters.*$/, 'darf höchstens $1 Zeichen lang sein'],
  [/^must have at most (\d+) (items|entries)$/, 'darf höchstens $1 Einträge haben'],
  [/^must not repeat an item$/, 'darf keinen Eintrag doppelt haben'],
  [/^must have at most one that is primary$/, 'darf nur einen bevorzugten Eintrag haben'],
];

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
  '404Text': 'Womöglich wurde der Eintrag gelöscht. Die Suche in der Liste zeigt es.',
  413: 'Das sind zu viele Daten',
  '413Text':
    'Der Eintrag ist zu groß zum Speichern. Bitte die längsten Texte kürzen oder Einträge aus den Listen entfernen und erneut speichern. Alle Eingaben sind noch da.',
  428: 'Die Änderung kam ohne Schutz vor dem Überschreiben an',
  '428Text':
    'Die Konsole sendet If-Match mit jeder Änderung, doch etwas auf dem Weg zum Dienst entfernt es. Bitte an die Administratoren des Gateways wenden. Es wurde nichts geändert.',
  503: 'Der Dienst ist überlastet oder nicht erreichbar',
  offline: 'Keine Verbindung',
  offlineText: 'Alle Eingaben sind noch da. Weiter geht es, sobald die Verbindung wieder steht.',
  unanswered: 'Der Dienst antwortet nicht',
  unansweredText:
    'Womöglich startet er gerade neu, oder die Verbindung ist schlecht. Bitte gleich noch einmal versuchen.',
};
