/**
 * Headings in tables of other programs, by column: exports and templates of Microsoft 365, Entra ID, Active Directory, Google Workspace, Okta and
 * Outlook. Case, spaces and punctuation make no difference. If a table has several headings of a column, the first in this list counts: Active
 * Directory has `sAMAccountName` beside `userPrincipalName`. Labels are headings, too, in
 * English and German: `called` in `user.ts` and `user-parts.ts`.
 */
const headings = {
  userName:
    'userPrincipalName, Benutzerprinzipalname, sAMAccountName, Sign-in name, Logon name, User logon name, uid',
  'userName+emails.0.value': 'Email Address [Required]',
  externalId: 'objectGUID, Object Id, External ID',
  'name.familyName': 'sn',
  'name.middleName': 'Middle name, Additional name, Weitere Vornamen',
  'name.honorificPrefix': 'Honorific prefix, Name prefix',
  'name.honorificSuffix': 'Honorific suffix, Name suffix, Suffix',
  displayName: 'Name [displayName]',
  title: 'Employee title, Position',
  userType: 'Employee type, Employment type',
  active: 'accountEnabled, Enabled, Status, Status [READ ONLY]',
  '!active':
    'Block credential, Block sign in, Block sign in (Yes/No), Account disabled, Suspended, Anmeldung blockieren',
  'emails.0.value': 'mail, Primary email, Primary SMTP address, Work email, Business email, E-mail 1 - Value',
  'emails.home.value': 'Home Secondary Email, Home email, Personal email, Private email, E-Mail privat',
  'emails.work.value': 'Work Secondary Email',
  'emails.other.value':
    'Alternate email address, Alternate email, Recovery email, Secondary email, Second email, E-mail 2 Address, E-mail 2 - Value',
  'phoneNumbers.work.value':
    'Office phone, telephoneNumber, Business phone, Work phone, Primary phone, Telefon geschäftlich',
  'phoneNumbers.mobile.value':
    'Mobile phone, Mobile, Mobile number, Cell phone, Mobiltelefon, Mobilnummer, Mobil, Handy, Handynummer',
  'phoneNumbers.home.value': 'Home phone, Telefon privat',
  'phoneNumbers.fax.value': 'Fax, Fax number, facsimileTelephoneNumber, Business fax, Faxnummer',
  'phoneNumbers.pager.value': 'Pager',
  'addresses.0.formatted': 'postalAddress',
  'addresses.0.streetAddress': 'Street address, Address, Business street',
  'addresses.0.locality': 'City or town, l, Business city',
  'addresses.0.region': 'st, Business state',
  'addresses.0.postalCode': 'ZIP or postal code, ZIP/Postal code, ZIP, Postcode, Business postal code',
  'addresses.0.country':
    'Country or region, Country/Region, c, co, Business Country/Region, Land/Region, Country code',
  'addresses.work.formatted': 'Work address',
  'addresses.home.formatted': 'Home address',
  'enterprise.employeeNumber': 'Employee no, Personnel number, Staff number, Personalnr, Pers.-Nr.',
  'enterprise.organization': 'Company name, Organization name',
  'enterprise.manager.value': 'Manager ID',
  '@enterprise.manager.value':
    'Manager, Manager user name, Supervisor, Vorgesetzter, Vorgesetzte, Führungskraft, Manager (user name or ID), Führungskraft (Benutzername oder ID)',
  'enterprise.manager.displayName': "Manager name, Manager's name, Supervisor name",
  'attributes.office': 'Office, physicalDeliveryOfficeName, Office location, Office number, Büro',
};

/** By path. */
export const userHeadings: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(headings).map(([path, names]) => [path, names.split(', ')]),
);
