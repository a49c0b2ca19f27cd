import type { Catalog } from '../en/index.ts';

const user: Catalog['fields']['user'] = {
  userName: {
    label: 'Benutzername',
    hint: 'Für die Anmeldung. Im Verzeichnis eindeutig, gleich ob groß- oder kleingeschrieben. Ohne Leerzeichen.',
  },
  externalId: {
    label: 'Externe ID',
    hint: 'Der Schlüssel des Benutzers in einem anderen System, etwa im Personalsystem.',
  },
  name: { label: 'Name' },
  'name.formatted': {
    label: 'Vollständiger Name',
    hint: 'Nur, wenn er sich nicht aus seinen Teilen ergibt.',
  },
  'name.familyName': { label: 'Nachname' },
  'name.givenName': { label: 'Vorname' },
  'name.middleName': { label: 'Weitere Vornamen' },
  'name.honorificPrefix': { label: 'Akademischer Grad oder Titel', hint: 'Etwa Dr.' },
  'name.honorificSuffix': { label: 'Namenszusatz', hint: 'Etwa jun. oder III.' },
  displayName: { label: 'Anzeigename', hint: 'In Listen und für andere Benutzer.' },
  nickName: { label: 'Rufname' },
  profileUrl: { label: 'Profilseite', hint: 'Die Adresse einer Seite über den Benutzer.' },
  title: { label: 'Stellenbezeichnung' },
  userType: { label: 'Benutzertyp', hint: 'Etwa Mitarbeiter oder Extern.' },
  preferredLanguage: { label: 'Bevorzugte Sprache', hint: 'Für Nachrichten und Anwendungen.' },
  locale: { label: 'Regionales Format', hint: 'Für Datumsangaben, Zahlen und Beträge.' },
  timezone: { label: 'Zeitzone' },
  active: {
    label: 'Status',
    hint: 'Inaktive Benutzer bleiben im Verzeichnis, können sich aber nicht anmelden.',
  },
  validFrom: {
    label: 'Gültig ab',
    hint: 'Der Benutzer wird aktiv, wenn dieser Tag in seiner Zeitzone beginnt.',
  },
  validUntil: {
    label: 'Gültig bis',
    hint: 'Der letzte Tag. Der Benutzer wird inaktiv, wenn er in der Zeitzone des Benutzers endet.',
  },
  emails: { label: 'E-Mail-Adressen', item: 'E-Mail-Adresse' },
  'emails.value': { label: 'Adresse' },
  phoneNumbers: { label: 'Telefonnummern', item: 'Telefonnummer' },
  'phoneNumbers.value': { label: 'Nummer' },
  ims: { label: 'Chat', item: 'Chat-Adresse' },
  'ims.value': { label: 'Adresse' },
  photos: { label: 'Fotos', item: 'Foto' },
  'photos.value': { label: 'Webadresse' },
  addresses: { label: 'Postanschriften', item: 'Postanschrift' },
  'addresses.formatted': { label: 'Vollständige Anschrift' },
  'addresses.streetAddress': { label: 'Straße und Hausnummer' },
  'addresses.locality': { label: 'Ort' },
  'addresses.region': { label: 'Bundesland oder Region' },
  'addresses.postalCode': { label: 'Postleitzahl' },
  'addresses.country': { label: 'Land' },
  entitlements: { label: 'Berechtigungen', item: 'Berechtigung', hint: 'Was der Benutzer nutzen darf.' },
  'entitlements.value': { label: 'Wert' },
  roles: { label: 'Rollen', item: 'Rolle' },
  x509Certificates: { label: 'Zertifikate', item: 'Zertifikat', hint: 'X.509, in Base64.' },
  'x509Certificates.value': { label: 'Zertifikat' },
  enterprise: { label: 'Stelle' },
  'enterprise.employeeNumber': { label: 'Personalnummer' },
  'enterprise.costCenter': { label: 'Kostenstelle' },
  'enterprise.organization': { label: 'Firma' },
  'enterprise.division': { label: 'Bereich' },
  'enterprise.department': { label: 'Abteilung' },
  'enterprise.manager': { label: 'Führungskraft' },
  'enterprise.manager.value': { label: 'Benutzer' },
  'enterprise.manager.displayName': { label: 'Name' },
  attributes: {
    label: 'Attribute',
    item: 'Attribut',
    hint: 'Weitere Daten. Namen beginnen mit einem Buchstaben; danach Buchstaben, Ziffern, Binde- und Unterstriche.',
  },
};

const group: Catalog['fields']['group'] = {
  displayName: {
    label: 'Gruppenname',
    hint: 'Im Verzeichnis eindeutig, gleich ob groß- oder kleingeschrieben.',
  },
  externalId: { label: 'Externe ID', hint: 'Der Schlüssel der Gruppe in einem anderen System.' },
  description: { label: 'Beschreibung', hint: 'Wozu die Gruppe dient.' },
  memberCount: { label: 'Mitglieder' },
};

const common: Catalog['fields']['common'] = {
  id: { label: 'ID' },
  type: { label: 'Art' },
  primary: { label: 'Bevorzugt' },
  display: { label: 'Bezeichnung' },
  created: { label: 'Angelegt' },
  lastModified: { label: 'Zuletzt geändert' },
  version: { label: 'Version' },
  meta: { label: 'Datensatz' },
};

export const fields: Catalog['fields'] = { user, group, common };
