/** A user to change by PATCH, and what becomes of her. */
import { runToEnd } from '../../../../src/adapters/formats/port/format.ts';
import { aUser } from '../../../support/a-user.ts';
import { applyPatch, readPatch, toInput, toResource } from '../../../support/scim-users.ts';
import { refusal } from './refused.ts';

export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const own = 'urn:user-management:1:User';

export const work = { value: 'ada@work.example', type: 'work', primary: true };
export const home = { value: 'ada@home.example', type: 'home', display: 'At home' };

export const ada = aUser({
  userName: 'ada',
  externalId: '701984',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  title: 'Countess',
  emails: [work, home],
  addresses: [{ streetAddress: 'Ockham Road', locality: 'Ockham', type: 'home' }],
  roles: ['admin', 'auditor'],
  enterprise: {
    department: 'Sales',
    manager: { value: '01890a5d-ac96-774b-bcce-b302099a8057', displayName: 'Babs' },
  },
  attributes: { costCenter: '42', shoeSize: '38' },
});

export interface Sent {
  readonly op: string;
  readonly path?: string;
  readonly value?: unknown;
}

export const patchOf = (operations: unknown): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
});

/** The input that comes of ada. */
const patched = (...operations: Sent[]): Readonly<Record<string, unknown>> =>
  toInput(
    runToEnd(
      applyPatch(
        toResource(ada, (id) => `/Users/${id}`),
        runToEnd(readPatch(patchOf(operations))),
      ),
    ),
  );

/** The members that are another by then; undefined for those that are gone. */
export function changes(...operations: Sent[]): Readonly<Record<string, unknown>> {
  const { id: _id, meta: _meta, ...before } = ada;
  const after = patched(...operations);
  const names = Object.keys({ ...before, ...after });
  const isOther = (name: string): boolean =>
    JSON.stringify(after[name]) !== JSON.stringify(Reflect.get(before, name));
  return Object.fromEntries(names.filter(isOther).map((name) => [name, after[name]]));
}

export const refused = (...operations: Sent[]): string => refusal(() => patched(...operations));
