import type { Violations } from '../en/violations.ts';

export const violations: Violations = [
  [/^is required$/, 'fehlt'],
  [/^another user has this userName$/, 'ist der Benutzername eines anderen Benutzers'],
  [/^another group has this displayName$/, 'ist der Name einer anderen Gruppe'],
  [/^another (user|group) has this id$/, 'ist bereits vergeben'],
  [/^a userName must not be empty$/, 'darf nicht leer sein'],
  [/^must not contain spaces$/, 'darf keine Leerzeichen enthalten'],
  [/^must not begin or end with a space$/, 'darf nicht mit einem Leerzeichen beginnen oder enden'],
  [
    /^(.*) is not allowed in a userName(?:;.*type the cell again)$/,
    'darf dieses unsichtbare Zeichen nicht enthalten: $1. Bitte die Zelle neu eingeben',
  ],
  [/^(.*) is not allowed in a userName.*$/, 'darf dieses Zeichen nicht enthalten: $1'],
  [/^must be one address.*$/, 'muss genau eine Adresse sein, etwa ada@example.org'],
  [
    /^must have a letter or digit at both sides.*$/,
    'braucht im Domainnamen auf beiden Seiten jedes Punktes ein Zeichen',
  ],
  [/^must be a BCP 47 language tag.*$/, 'muss ein Sprachcode sein, etwa de-DE'],
  [/^must be shaped like an IANA time zone.*$/, 'muss eine Zeitzone sein, etwa Europe/Berlin'],
  [/^must be two letters \(ISO 3166-1\).*$/, 'muss ein Ländercode sein, etwa DE'],
  [/^must be a URI.*$/, 'muss eine Adresse im Web sein, etwa https://example.org/ada'],
  [
    /^must be a UUID.*$/,
    'muss eine UUID sein, wie ein Export sie enthält; eigene Schlüssel gehören in die externe ID',
  ],
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
  [
    /^must be true or false.*$/,
    'muss wahr oder falsch sein, etwa ja/nein, WAHR/FALSCH oder 1/0. Andere Wörter: „Wörter für wahr und falsch“',
  ],
  [
    /^must be a list, with.*$/,
    'muss eine Liste sein, mit | zwischen den Werten, etwa engineer|admin; vor Komma, Semikolon oder Zeilenumbruch in einem einzelnen Wert steht ein umgekehrter Schrägstrich',
  ],
  [/^same \S+ as row (\d+)$/, 'steht schon in Zeile $1'],
  [/^same \S+ as line (\d+), column (\d+)$/, 'steht schon in Zeile $1, Spalte $2'],
  [
    /^a (?:user|group) with this .* exists; if it is the same one.*$/,
    'gibt es schon; soll der vorhandene Eintrag geändert werden, dann „vorhandene ändern“ wählen',
  ],
  [/^a (?:user|group) with this id exists, and differs$/, 'gibt es schon mit anderen Werten'],
  [/^no (?:user|group) has this \S+$/, 'hat kein vorhandener Eintrag'],
  [/^several (?:users|groups) have this \S+$/, 'haben mehrere vorhandene Einträge'],
  [/^must be there: .* are matched by it$/, 'fehlt; daran werden vorhandene Einträge erkannt'],
  [/^is not that of the (?:user|group) with this \S+$/, 'ist nicht die ID des gefundenen Eintrags'],
  [/^never changes$/, 'lässt sich nicht ändern'],
  [
    /^the row has (\d+) cells?, the header (\d+): cells are missing.*$/,
    'Die Zeile hat $1 Zellen, die Überschrift $2: Zellen fehlen',
  ],
  [
    /^the row has (\d+) cells?, the header (\d+): a cell with a separator.*$/,
    'Die Zeile hat $1 Zellen, die Überschrift $2: Eine Zelle mit einem Trennzeichen braucht Anführungszeichen',
  ],
  [
    /^a quote stands within a cell.*$/,
    'In der Zelle steht ein Anführungszeichen: Die Zelle braucht Anführungszeichen, und die darin müssen verdoppelt sein',
  ],
  [
    /^something stands behind the closing quote.*$/,
    'Hinter dem schließenden Anführungszeichen steht noch etwas: Anführungszeichen in einer Zelle müssen verdoppelt sein',
  ],
  [/^a quote opens here and is never closed$/, 'Hier beginnt ein Anführungszeichen, das nirgends endet'],
  [
    /^a heading is empty.*$/,
    'Eine Überschrift ist leer: Bitte ausfüllen, die Spalte löschen oder die Zeilen darüber löschen',
  ],
  [/^the column (".*") stands twice$/, 'Die Spalte $1 steht doppelt'],
  [/^(".*") and (".*") are both .*$/, '$1 und $2 gehören zum selben Feld'],
  [/^there is no column (.*?)(?: \(perhaps [^)]*\))?[:;].*$/, 'Die Spalte $1 ist unbekannt'],
  [
    /^the first row must have the headings.*$/,
    'Die erste Zeile muss die Überschriften enthalten; keine davon ist bekannt',
  ],
  [
    /^the header has several of comma, semicolon and tab.*$/,
    'Die Überschriften enthalten mehrere Trennzeichen: Bitte das Trennzeichen wählen',
  ],
  [
    /^no line break ends the last line.*$/,
    'Die letzte Zeile endet ohne Zeilenumbruch, die Datei ist womöglich abgeschnitten: Ist sie vollständig, „Letzte Zeile ohne Zeilenumbruch übernehmen“ wählen',
  ],
  [
    /^the file is not UTF-8.*$/,
    'Die Datei ist nicht in UTF-8: Bitte so speichern, oder ihre Kodierung wählen',
  ],
  [/^the file is cut off.*$/, 'Die Datei ist abgeschnitten'],
  [/^the file is empty$/, 'Die Datei ist leer'],
  [/^the gzip is damaged or cut off$/, 'Die gepackte Datei ist beschädigt oder abgeschnitten'],
  [
    /^this is a workbook, not CSV.*$/,
    'Das ist eine Arbeitsmappe: Bitte in der Tabellenkalkulation als CSV speichern',
  ],
];
