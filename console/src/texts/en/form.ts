/** `email address` of `Email address`, but `ID` of `ID` */
export const inSentence = (label: string): string =>
  /^[A-Z][A-Z\d]/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);

/** The form: sections, lists and mistakes. The names of fields are in fields.ts. */
export const form = {
  about: { user: 'Data of the user', group: 'Data of the group' },
  sections: {
    person: 'Person',
    job: 'Job',
    declared: 'Attributes of your organization',
    contact: 'Contact',
    access: 'Roles and entitlements',
    organization: 'Organization',
    regional: 'Language and region',
    names: 'Titles and further names',
    group: 'Group',
    more: 'More',
  },
  required: 'required',
  locked: 'Your access profile does not let you change the fields without a frame.',
  add: (item: string) => `Add ${inSentence(item)}`,
  remove: (item: string) => `Remove ${inSentence(item)}`,
  entryName: 'Name',
  entryValue: 'Value',
  nameMissing: 'Needs a name',
  valueMissing: 'Needs a value',
  nameTwice: 'Has the same name as another one',
  mistakes: 'Please correct:',
  free: 'This name is free.',
  takenBy: 'This name is taken by',
  noSpaces: 'Spaces are not allowed.',
  noSpacesAround: 'Spaces at the beginning or end are not allowed.',
  invisible: 'Invisible characters are not allowed.',
  tooLong: (most: number) => `No more than ${most} characters are allowed.`,
  moreFound: 'Type to see more.',
  unknownCode: 'This browser does not know this code.',
  open: (name: string) => `Open ${name}`,
  choosePerson: 'Choose a person from the list.',
  keepText: (name: string) => `Keep “${name}” as text`,
  noUser: '(not a user)',
  notInDirectory: 'Not a user of this directory.',
};
