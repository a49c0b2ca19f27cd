/**
 * The labels and hints of fields, by kind and path; of a list also the name of one item. A field that
 * has no entry, such as one that the installation declares, shows the name and the description that its schema gives it.
 */
const user = {
  userName: {
    label: 'User name',
    hint: 'For signing in. Unique in the directory, whether in capital or small letters. No spaces.',
  },
  externalId: { label: 'External ID', hint: 'The key of the user in another system, such as the HR system.' },
  name: { label: 'Name' },
  'name.formatted': { label: 'Full name', hint: 'Only where it cannot be composed of its parts.' },
  'name.familyName': { label: 'Family name' },
  'name.givenName': { label: 'Given name' },
  'name.middleName': { label: 'Middle names' },
  'name.honorificPrefix': { label: 'Academic or other title', hint: 'Such as Dr.' },
  'name.honorificSuffix': { label: 'Suffix', hint: 'Such as Jr. or III.' },
  displayName: { label: 'Display name', hint: 'Shown in lists and to other users.' },
  nickName: { label: 'Nickname' },
  profileUrl: { label: 'Profile page', hint: 'The address of a page about the user.' },
  title: { label: 'Job title' },
  userType: { label: 'User type', hint: 'Such as employee or contractor.' },
  preferredLanguage: { label: 'Preferred language', hint: 'Of messages and applications.' },
  locale: { label: 'Regional format', hint: 'Of dates, numbers and amounts.' },
  timezone: { label: 'Time zone' },
  active: { label: 'Status', hint: 'Inactive users stay in the directory but cannot sign in.' },
  validFrom: {
    label: 'Valid from',
    hint: 'The user becomes active when this day begins, in the time zone of the user.',
  },
  validUntil: {
    label: 'Valid until',
    hint: 'The last day. The user becomes inactive when it ends, in the time zone of the user.',
  },
  emails: { label: 'Email addresses', item: 'Email address' },
  'emails.value': { label: 'Address' },
  phoneNumbers: { label: 'Phone numbers', item: 'Phone number' },
  'phoneNumbers.value': { label: 'Number' },
  ims: { label: 'Instant messaging', item: 'Messaging address' },
  'ims.value': { label: 'Address' },
  photos: { label: 'Photos', item: 'Photo' },
  'photos.value': { label: 'Web address' },
  addresses: { label: 'Postal addresses', item: 'Postal address' },
  'addresses.formatted': { label: 'Whole address' },
  'addresses.streetAddress': { label: 'Street and number' },
  'addresses.locality': { label: 'City' },
  'addresses.region': { label: 'State or province' },
  'addresses.postalCode': { label: 'Postal code' },
  'addresses.country': { label: 'Country' },
  entitlements: { label: 'Entitlements', item: 'Entitlement', hint: 'What the user may use.' },
  'entitlements.value': { label: 'Value' },
  roles: { label: 'Roles', item: 'Role' },
  x509Certificates: { label: 'Certificates', item: 'Certificate', hint: 'X.509, in base64.' },
  'x509Certificates.value': { label: 'Certificate' },
  enterprise: { label: 'Job' },
  'enterprise.employeeNumber': { label: 'Employee number' },
  'enterprise.costCenter': { label: 'Cost center' },
  'enterprise.organization': { label: 'Company' },
  'enterprise.division': { label: 'Division' },
  'enterprise.department': { label: 'Department' },
  'enterprise.manager': { label: 'Manager' },
  'enterprise.manager.value': { label: 'User' },
  'enterprise.manager.displayName': { label: 'Name' },
  attributes: {
    label: 'Attributes',
    item: 'Attribute',
    hint: 'Further data. Names begin with a letter; then letters, digits, hyphens and underscores.',
  },
};

const group = {
  displayName: {
    label: 'Group name',
    hint: 'Unique in the directory, whether in capital or small letters.',
  },
  externalId: { label: 'External ID', hint: 'The key of the group in another system.' },
  description: { label: 'Description', hint: 'The purpose of the group.' },
  memberCount: { label: 'Members' },
};

/** Fields of all kinds of resources and of their lists, by name. */
const common = {
  id: { label: 'ID' },
  type: { label: 'Type' },
  primary: { label: 'Primary' },
  display: { label: 'Label' },
  created: { label: 'Created' },
  lastModified: { label: 'Last modified' },
  version: { label: 'Version' },
  meta: { label: 'Record' },
};

export const fields = { user, group, common };
