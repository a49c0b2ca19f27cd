/** JSON under SCIM's media type, and under its own for clients that ask for that (RFC 7644 §8.1). */
import type { Format } from '../../formats/format.ts';
import { json } from '../../formats/json.ts';

const type = 'application/scim+json';

export const scimJson: Format = {
  ...json,
  name: 'scim',
  mediaTypes: [
    { type, contentType: type },
    { type: 'application/json', contentType: 'application/json' },
  ],
  patchTypes: [],
  problemType: type,
};
