/** The kinds of the service, and what tests often need of users. */

import { listTextParser } from '../../src/adapters/apis/resources/list-query.ts';
import { defineUsers } from '../../src/adapters/apis/users/index.ts';
import type { FileCodec, FileFormat } from '../../src/adapters/formats/port/file-format.ts';
import { codecOf } from '../../src/commands/file-options.ts';
import type { Position, Sort } from '../../src/domain/find/sorts.ts';
import { userKind } from '../../src/domain/kinds/user/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import type { Resource } from '../../src/domain/resource/resource.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';

export const kinds = kindsOf();
export const { filters, filterNames, keptSorts, sortNames, makeKeys } = userKind;
export const { readInput, checkPatch } = userKind.builder;

export const userDefinition = defineUsers(kinds);
/** Of GET /users. @throws HttpProblem 400 */
export const parseListQuery = listTextParser(userDefinition.kind);

/** For files of users. */
export const userCodec = (format: FileFormat): FileCodec<User> =>
  codecOf(userDefinition.kind, format) as unknown as FileCodec<User>;

export const sortKeys = (user: User): ReadonlyMap<string, string> => makeKeys(user).sorts;
export const searchText = (user: User): string => makeKeys(user).search;

/** Of a user or a group. */
export function positionOf(stored: Stored<Resource>, sort?: Sort): Position {
  return kinds.of('userName' in stored.value ? 'user' : 'group').positionOf(stored, sort);
}
