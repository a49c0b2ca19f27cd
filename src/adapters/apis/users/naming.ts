/** How the user's documents are called where a format names them. */
import type { Naming } from '../../formats/format.ts';

export const userNaming: Naming = { one: 'user', many: 'users', namespace: 'urn:user-management:1' };
