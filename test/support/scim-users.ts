/** SCIM's users: what its functions do with their resource type. */
import {
  parseFilter as parse,
  parsePatchPath as parsePath,
} from '../../src/adapters/apis/scim/filter/parse.ts';
import { applyPatch as apply } from '../../src/adapters/apis/scim/patch/apply-patch.ts';
import { readPatch as readOperations } from '../../src/adapters/apis/scim/patch/read-patch.ts';
import { Mistakes } from '../../src/adapters/apis/scim/resource/errors.ts';
import { readResourceBody as read } from '../../src/adapters/apis/scim/resource/read-resource.ts';
import {
  toInput as inputOf,
  scimPath as pathOf,
  toResource as resourceOf,
  type ScimResource,
} from '../../src/adapters/apis/scim/resource/resource.ts';
import { defineScimUsers } from '../../src/adapters/apis/scim/types/user.ts';
import { kinds } from './kinds.ts';

export const userType = defineScimUsers(kinds);
export const coreUrn = userType.schema.id;
export const { schemas, findAttribute, findSchema, sortable: sortableAttributes } = userType;

/** The parameters of a function behind the resource type. */
type Rest<F extends (...given: never) => unknown> = Parameters<F> extends [unknown, ...infer R] ? R : never;

export const parseFilter = (text: string) => parse(userType, text);
export const parsePatchPath = (text: string) => parsePath(userType, text);
export const scimPath = (pointer: string) => pathOf(userType, pointer);
export function* readPatch(body: unknown) {
  const mistakes = new Mistakes();
  const { operations } = yield* readOperations(userType, body, mistakes);
  mistakes.assertNone();
  return operations;
}
export const applyPatch = (...given: Rest<typeof apply>) => apply(userType, ...given);
/** Throws all mistakes as one. */
function withoutMistakes<T>(run: (mistakes: Mistakes) => T): T {
  const mistakes = new Mistakes();
  const result = run(mistakes);
  mistakes.assertNone();
  return result;
}
export const readResourceBody = (body: unknown, options?: { readonly isNew?: boolean }) =>
  withoutMistakes((mistakes) => read(userType, body, mistakes, options));
export const toInput = (resource: ScimResource) =>
  withoutMistakes((mistakes) => inputOf(userType, resource, mistakes));
export const toResource = (...given: Rest<typeof resourceOf>) => resourceOf(userType, ...given);
