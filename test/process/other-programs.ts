/** Tables of other programs: exports, templates, and spreadsheets in other countries. */
import iconv from 'iconv-lite';
import type { ImportWishes } from '../../src/commands/files/take-resources.ts';

export interface SavedTable {
  readonly title: string;
  readonly bytes: Buffer;
  readonly wishes?: Pick<ImportWishes, 'ignoreUnknown' | 'encoding'>;
}

const ignoring = { ignoreUnknown: true };

const rows = (...lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');

function* tables(): Generator<
  readonly [title: string, text: string, wishes?: SavedTable['wishes'], encoding?: string]
> {
  yield [
    "Microsoft 365's template for several users",
    rows(
      'Username,First name,Last name,Display name,Job title,Department,Office number,Office phone,Mobile phone,Fax,Alternate email address,Address,City,State or province,ZIP or postal code,Country or region',
      'chris@x.example,Chris,Green,Chris Green, ,IT,12,555-1,555-2,,c@y.example,1 Way,Redmond,WA,98052,United States',
    ),
  ];
  const blocked = rows(
    'Block credential,Display name,Licenses,Title,User principal name',
    'True,Chris,E3,Manager,chris@x.example',
  );
  yield ["Microsoft 365's list of users", blocked];
  yield ["Microsoft 365's list of users, without unknown columns", blocked, ignoring];
  yield [
    "Entra ID's template, without unknown columns",
    rows(
      'version:v1.0,,,',
      'Name [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required,Block sign in (Yes/No) [accountEnabled] Required',
      'Chris Green,chris@x.example,secret,No',
    ),
    ignoring,
  ];
  yield [
    "Google Workspace's list of users, without unknown columns",
    rows(
      'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Org Unit Path [Required],Status [READ ONLY]',
      'Chris,Green,chris@x.example,****,/Sales,Suspended',
    ),
    ignoring,
  ];
  yield [
    "Active Directory's users by PowerShell, without unknown columns",
    rows(
      '#TYPE Microsoft.ActiveDirectory.Management.ADUser',
      '"DistinguishedName","Enabled","GivenName","SamAccountName","sn","UserPrincipalName"',
      '"CN=Chris","True","Chris","chris","Green","chris@x.example"',
    ),
    ignoring,
  ];
  yield [
    "an HR program's list, without unknown columns and without a user name",
    rows('Personalnummer;Vorname;Nachname;Eintrittsdatum;E-Mail', '1;Jörg;Groß;01.04.2020;jg@firma.de'),
    ignoring,
    'windows-1252',
  ];
  yield [
    'a sheet with empty columns, rows and cells',
    rows(
      ';;;',
      'Benutzername;Abteilung;;',
      ' ada ;\u00A0Einkauf ;;',
      ' ; ;;',
      'bob;Einkauf',
      ';;;',
      'eva;IT;;Notiz',
    ),
  ];
  yield [
    'a sheet with names of countries',
    rows('User name,Country', 'a,Deutschland', 'b,Czech Republic', 'c,Nowhere'),
  ];
  yield ['a Polish Excel', rows('Login;Dział', 'ł.żółć;Księgowość'), undefined, 'windows-1250'];
  yield ['a Russian Excel', rows('userName;Department', 'ivan;Отдел кадров'), undefined, 'windows-1251'];
  yield [
    'a Japanese Excel, with its encoding named',
    rows('userName,Last name', 'sato,佐藤'),
    { encoding: 'shift_jis' },
    'shift_jis',
  ];
}

export const savedTables = (): readonly SavedTable[] =>
  [...tables()].map(([title, text, wishes = {}, encoding = 'utf8']) => ({
    ...{ title, wishes },
    bytes: iconv.encode(text, encoding),
  }));
