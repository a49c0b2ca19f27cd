/** A user with all attributes that there are, as Microsoft Entra ID sends one. `carol` has to be there: she is the manager. */
import { entra } from './entra-requests.ts';
import { core, type Exchange, enterprise, listAnswer, userAnswer, userXml } from './exchanges.ts';

const danaSent = {
  externalId: 'c4a1e2d7-3b60-4f0e-9c58-6f1d2a7b9e05',
  userName: 'dana@entra.example',
  displayName: 'Dana Müller & Söhne <GmbH>',
  nickName: 'D.',
  profileUrl: 'https://people.entra.example/dana?tab=1&x=y',
  title: 'Senior Engineer',
  userType: 'Member',
  preferredLanguage: 'de-DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  name: {
    formatted: 'Dr. Dana Maria Müller III',
    familyName: 'Müller',
    givenName: 'Dana',
    middleName: 'Maria',
    honorificPrefix: 'Dr.',
    honorificSuffix: 'III',
  },
  ims: [{ type: 'skype', value: 'dana.müller' }],
  photos: [
    { type: 'photo', value: 'https://photos.entra.example/dana.jpg' },
    { type: 'thumbnail', value: 'https://photos.entra.example/dana-t.jpg' },
  ],
  entitlements: [{ value: 'vpn', display: 'Remote access', type: 'network' }],
  x509Certificates: [{ value: 'MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAw', type: 'signing' }],
};
const danaLists = {
  emails: [
    { primary: true, type: 'work', value: 'dana@entra.example', display: 'Dana' },
    { primary: false, type: 'home', value: 'dana@home.example' },
    { primary: false, type: 'other', value: 'dana@other.example' },
  ],
  phoneNumbers: [
    { type: 'work', value: '+49 30 901820', primary: true },
    { type: 'mobile', value: '+49 170 0000000', primary: false },
    { type: 'fax', value: '+49 30 901821', primary: false },
  ],
  addresses: [
    {
      type: 'work',
      primary: true,
      formatted: 'Straße 1\n10115 Berlin',
      streetAddress: 'Straße 1',
      locality: 'Berlin',
      region: 'BE',
      postalCode: '10115',
      country: 'DE',
    },
    { type: 'home', primary: false, locality: 'Potsdam', country: 'DE' },
    { type: 'other', primary: false, formatted: 'Postfach 12' },
  ],
};
const danaWork = {
  employeeNumber: '701984',
  costCenter: '4130',
  organization: 'Entra Example AG',
  division: 'Theme Park',
  department: 'Tour Operations',
};
/** As somebody writes it who knows no other kind of value: each boolean as a text. */
const withTextBooleans = (items: readonly { readonly primary?: boolean }[]) =>
  items.map((item) =>
    item.primary === undefined ? item : { ...item, primary: item.primary ? 'True' : 'False' },
  );

const dana = {
  ...danaSent,
  ...danaLists,
  active: true,
  roles: [{ value: 'Admin' }, { value: 'User' }],
  [enterprise]: {
    ...danaWork,
    manager: { value: '{{id carol}}' },
  },
};

export const wholeUserExchanges: readonly Exchange[] = [
  entra(
    'makes a user with all attributes, booleans as texts and the manager as a bare id',
    {
      method: 'POST',
      path: '/Users',
      body: {
        schemas: [core, enterprise],
        ...danaSent,
        active: 'True',
        emails: withTextBooleans(danaLists.emails),
        phoneNumbers: withTextBooleans(danaLists.phoneNumbers),
        addresses: withTextBooleans(danaLists.addresses),
        roles: ['Admin', 'User'].map((value) => ({
          primary: 'False',
          type: 'WindowsAzureActiveDirectoryRole',
          display: value,
          value,
        })),
        groups: [],
        meta: { resourceType: 'User' },
        [enterprise]: { ...danaWork, manager: '{{id carol}}' },
      },
    },
    userAnswer(201, 'dana', 1, dana),
  ),
  entra(
    'reads all attributes as they were sent',
    { method: 'GET', path: '/Users/{{id dana}}' },
    userAnswer(200, 'dana', 1, dana),
  ),
  entra(
    'asks whether somebody is the manager of the user',
    {
      method: 'GET',
      path: '/Users?attributes=id&filter=id+eq+%22{{id dana}}%22+and+manager+eq+%22{{id carol}}%22',
    },
    listAnswer([{ schemas: [core, enterprise], id: '{{id dana}}' }]),
  ),
  entra(
    'asks the same of somebody who is not',
    {
      method: 'GET',
      path: '/Users?attributes=id&filter=id+eq+%22{{id dana}}%22+and+manager+eq+%22{{id dana}}%22',
    },
    listAnswer([]),
  ),
];

/** What the old XML client reads in the end. */
export const wholeUserInXml: string = userXml('dana', 1, [
  '<userName>dana@entra.example</userName><externalId>c4a1e2d7-3b60-4f0e-9c58-6f1d2a7b9e05</externalId>',
  '<name><formatted>Dr. Dana Maria Müller III</formatted><familyName>Müller</familyName>',
  '<givenName>Dana</givenName><middleName>Maria</middleName><honorificPrefix>Dr.</honorificPrefix>',
  '<honorificSuffix>III</honorificSuffix></name><displayName>Dana Müller &amp; Söhne &lt;GmbH&gt;</displayName>',
  '<nickName>D.</nickName><profileUrl>https://people.entra.example/dana?tab=1&amp;x=y</profileUrl>',
  '<title>Senior Engineer</title><userType>Member</userType><preferredLanguage>de-DE</preferredLanguage>',
  '<locale>de-DE</locale><timezone>Europe/Berlin</timezone><active>true</active>',
  '<emails><email><value>dana@entra.example</value><display>Dana</display><type>work</type>',
  '<primary>true</primary></email><email><value>dana@home.example</value><type>home</type>',
  '<primary>false</primary></email><email><value>dana@other.example</value><type>other</type>',
  '<primary>false</primary></email></emails>',
  '<phoneNumbers><phoneNumber><value>+49 30 901820</value><type>work</type><primary>true</primary>',
  '</phoneNumber><phoneNumber><value>+49 170 0000000</value><type>mobile</type><primary>false</primary>',
  '</phoneNumber><phoneNumber><value>+49 30 901821</value><type>fax</type><primary>false</primary>',
  '</phoneNumber></phoneNumbers><ims><im><value>dana.müller</value><type>skype</type></im></ims>',
  '<photos><photo><value>https://photos.entra.example/dana.jpg</value><type>photo</type></photo>',
  '<photo><value>https://photos.entra.example/dana-t.jpg</value><type>thumbnail</type></photo></photos>',
  '<addresses><address><formatted>Straße 1\n10115 Berlin</formatted><streetAddress>Straße 1</streetAddress>',
  '<locality>Berlin</locality><region>BE</region><postalCode>10115</postalCode><country>DE</country>',
  '<type>work</type><primary>true</primary></address><address><locality>Potsdam</locality>',
  '<country>DE</country><type>home</type><primary>false</primary></address><address>',
  '<formatted>Postfach 12</formatted><type>other</type><primary>false</primary></address></addresses>',
  '<entitlements><entitlement><value>vpn</value><display>Remote access</display><type>network</type>',
  '</entitlement></entitlements><roles><role>Admin</role><role>User</role></roles>',
  '<x509Certificates><x509Certificate><value>MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAw</value>',
  '<type>signing</type></x509Certificate></x509Certificates>',
  '<enterprise><employeeNumber>701984</employeeNumber><costCenter>4130</costCenter>',
  '<organization>Entra Example AG</organization><division>Theme Park</division>',
  '<department>Tour Operations</department><manager><value>{{id carol}}</value></manager></enterprise>',
]);
