import { inSentence } from './in-sentence.ts';

/** The form: sections, lists and mistakes. What fields are called stands in fields.ts. */
export const form = {
  about: { user: 'Data of the user', group: 'Data of the group' },
  required: 'required',
  add: (item: string) => `Add ${inSentence(item)}`,
  remove: (item: string) => `Remove ${inSentence(item)}`,
  entryName: 'Name',
  entryValue: 'Value',
  nameMissing: 'needs a name',
  nameTwice: 'has the same name as another one',
  mistakes: 'Please correct:',
};
