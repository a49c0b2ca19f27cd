/** The members of every resource: an id, and `meta`, the service's own record of it. */

import * as Type from 'typebox';
import { uuidPattern } from '../validation/plain-values.ts';

/** @param description of the kind's ids */
export const idType = (description: string) =>
  Type.String({ pattern: uuidPattern, must: 'be a UUID (RFC 9562)', description });

export const Meta = Type.Object(
  {
    created: Type.String({ format: 'date-time', description: 'Time of creation.', sort: 'created' }),
    lastModified: Type.String({
      format: 'date-time',
      description: 'Time of the last change.',
      sort: 'lastModified',
    }),
    version: Type.String({ minLength: 1, description: 'Changes with each write; opaque.' }),
  },
  {
    additionalProperties: false,
    readOnly: true,
    description: 'What the service records of the resource. Read-only: ignored in requests.',
  },
);

export type Meta = Type.Static<typeof Meta>;

export interface Resource {
  readonly id: string;
  readonly meta: Meta;
}
