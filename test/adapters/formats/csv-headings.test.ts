import { expect } from 'chai';
import { findColumn } from '../../../src/adapters/formats/csv/columns.ts';
import { describeMistake } from '../../../src/adapters/formats/port/mistakes.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { userHeadings } from '../../../src/domain/kinds/user/user-headings.ts';
import { simplify } from '../../../src/domain/validation/suggest.ts';
import { printFile, readFile } from '../../contract/file-format.ts';
import { aUser } from '../../support/a-user.ts';
import { codec, valuesOf } from './csv-table.ts';

const phones = [
  { type: 'work', value: '1' },
  { type: 'mobile', value: '2' },
];
const address = {
  streetAddress: '1 Way',
  locality: 'Redmond',
  region: 'WA',
  postalCode: '98052',
  country: 'US',
};

/** Tables of other programs, each with a row, and what it is read as. */
const tables: Readonly<Record<string, readonly [headings: string, cells: string, expected: object]>> = {
  "Microsoft 365's template": [
    'Username,First name,Last name,Display name,Job title,Department,Office number,Office phone,Mobile phone,Fax,Alternate email address,Address,City,State or province,ZIP or postal code,Country or region',
    'ada@x.example,Ada,Lovelace,Ada Lovelace,Analyst,IT,12,1,2,3,a@y.example,1 Way,Redmond,WA,98052,United States',
    {
      userName: 'ada@x.example',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      displayName: 'Ada Lovelace',
      title: 'Analyst',
      enterprise: { department: 'IT' },
      attributes: { office: '12' },
      phoneNumbers: [...phones, { type: 'fax', value: '3' }],
      emails: [{ type: 'other', value: 'a@y.example' }],
      addresses: [address],
    },
  ],
  "Entra ID's template": [
    'Name [displayName] Required,User name [userPrincipalName] Required,Block sign in (Yes/No) [accountEnabled] Required,First name [givenName],Last name [surname],Job title [jobTitle],State or province [state],Country or region [country],Office [physicalDeliveryOfficeName],ZIP or postal code [postalCode],Office phone [telephoneNumber],Mobile phone [mobile]',
    'Ada Lovelace,ada@x.example,Yes,Ada,Lovelace,Analyst,WA,US,12,98052,1,2',
    {
      displayName: 'Ada Lovelace',
      userName: 'ada@x.example',
      active: false,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      title: 'Analyst',
      addresses: [{ region: 'WA', country: 'US', postalCode: '98052' }],
      attributes: { office: '12' },
      phoneNumbers: phones,
    },
  ],
  "Entra ID's list of users": [
    'userPrincipalName,displayName,surname,mail,givenName,objectId,userType,jobTitle,department,accountEnabled,streetAddress,state,country,physicalDeliveryOfficeName,city,postalCode,telephoneNumber,mobile,companyName',
    'ada@x.example,Ada,Lovelace,a@x.example,Ada,O1,Member,Analyst,IT,False,1 Way,WA,USA,12,Redmond,98052,1,2,X',
    {
      userName: 'ada@x.example',
      displayName: 'Ada',
      name: { familyName: 'Lovelace', givenName: 'Ada' },
      emails: [{ value: 'a@x.example' }],
      externalId: 'O1',
      userType: 'Member',
      title: 'Analyst',
      enterprise: { department: 'IT', organization: 'X' },
      active: false,
      addresses: [address],
      attributes: { office: '12' },
      phoneNumbers: phones,
    },
  ],
  "Google Workspace's list of users": [
    'First Name [Required],Last Name [Required],Email Address [Required],Status [READ ONLY],Recovery Email,Home Secondary Email,Work Phone,Mobile Phone,Work Address,Employee ID,Employee Title,Department,Cost Center',
    'Ada,Lovelace,ada@x.example,Suspended,a@y.example,a@home.example,1,2,1 Way,E1,Analyst,IT,C1',
    {
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      userName: 'ada@x.example',
      emails: [
        { value: 'ada@x.example' },
        { type: 'other', value: 'a@y.example' },
        { type: 'home', value: 'a@home.example' },
      ],
      active: false,
      phoneNumbers: phones,
      addresses: [{ type: 'work', formatted: '1 Way' }],
      enterprise: { employeeNumber: 'E1', department: 'IT', costCenter: 'C1' },
      title: 'Analyst',
    },
  ],
  "Active Directory's users, by PowerShell": [
    '"SamAccountName","UserPrincipalName","GivenName","sn","mail","Enabled","telephoneNumber","mobile","l","st","co","c","Department","ObjectGUID"',
    '"ada","ada@x.example","Ada","Lovelace","a@x.example","True","1","2","Redmond","WA","United States","US","IT","G1"',
    {
      userName: 'ada@x.example',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: 'a@x.example' }],
      active: true,
      phoneNumbers: phones,
      addresses: [{ locality: 'Redmond', region: 'WA', country: 'US' }],
      enterprise: { department: 'IT' },
      externalId: 'G1',
    },
  ],
};

describe('The headings of other programs', () => {
  for (const [whose, [headings, cells, expected]] of Object.entries(tables))
    it(`are known: ${whose}`, async () => {
      expect(await valuesOf(`${headings}\n${cells}\n`)).to.deep.equal([expected]);
    });

  it('leave out a column that says that it is not imported, unless it is assigned', async () => {
    const file = 'userName,Manager (not imported)\nada,bob\n';
    expect(await valuesOf(file)).to.deep.equal([{ userName: 'ada' }]);
    const headings = new Map([['Manager (not imported)', 'title']]);
    expect(await valuesOf(file, { headings })).to.deep.equal([{ userName: 'ada', title: 'bob' }]);
  });

  it('each mean one column', () => {
    const seen = new Map<string, string>();
    for (const [path, names] of Object.entries(userHeadings)) {
      expect(findColumn(User, path), path).not.to.equal(undefined);
      for (const name of names) {
        expect(seen.get(simplify(name)), name).to.equal(undefined);
        seen.set(simplify(name), path);
      }
    }
  });
});

describe('A column of a type', () => {
  const table = (row: string) => `userName,Mobile phone,Phone\nada,${row}\n`;
  const edit = async (file: string, user: object, options = {}) => {
    const { rows } = await readFile(codec, file, options);
    return rows[0]?.edit?.(structuredClone(user) as never) as { phoneNumbers?: unknown[] } | undefined;
  };

  it('refers to the item of that type, wherever it stands, and columns with numbers to other items', async () => {
    for (const row of ['2,1', '2,', ',1']) {
      const { rows } = await readFile(codec, table(row));
      const value = rows[0]?.value as { phoneNumbers: unknown[] };
      // A second import changes nothing.
      expect(await edit(table(row), value)).to.deep.equal(value);
    }
    const there = aUser({ phoneNumbers: [{ value: '2', type: 'mobile' }] });
    expect((await edit(table('3,1'), there))?.phoneNumbers).to.deep.equal([
      { value: '3', type: 'mobile' },
      { value: '1' },
    ]);
    expect((await edit(table(',1'), there, { emptyRemoves: true }))?.phoneNumbers).to.deep.equal([
      {},
      { value: '1' },
    ]);
  });

  it('is exported, as is a column with opposite values', () => {
    const user = aUser({ userName: 'ada', phoneNumbers: [{ value: '1' }, { value: '2', type: 'mobile' }] });
    const columns = ['userName', 'phoneNumbers.mobile.value', '!active'];
    expect(printFile(codec, [user], { columns })).to.equal(
      `${columns.join(',')}\r\nada,2,${!user.active}\r\n`,
    );
  });

  it('is named as the place of a mistake in the list item that it holds', async () => {
    const { rows } = await readFile(codec, 'userName,Email,Alternate email address\nada,,x\n');
    const [row] = rows;
    expect(row && describeMistake(row, { pointer: '/emails/0/value', detail: 'is wrong' })).to.equal(
      'row 2, cell C2 "Alternate email address": is wrong',
    );
  });
});

describe('The name of a country', () => {
  it('is read as its code, in many languages', async () => {
    for (const [country, names] of Object.entries({
      US: ['US', 'United States', 'USA', 'Vereinigte Staaten', 'États-Unis', 'Stany Zjednoczone'],
      DE: ['Germany', 'Deutschland', 'ALLEMAGNE', 'Niemcy', 'ドイツ', 'Германия'],
      GB: ['United Kingdom', 'Vereinigtes Königreich', 'England'],
      // Two letters stay.
      uk: ['uk'],
      Atlantis: ['Atlantis'],
    }))
      for (const name of names)
        expect(await valuesOf(`userName,Country\nada,${name}\n`), name).to.deep.equal([
          { userName: 'ada', addresses: [{ country }] },
        ]);
  });
});
