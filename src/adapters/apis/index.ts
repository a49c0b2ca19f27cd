/** The APIs there are. To add one: its folder, and a line here. `adapters/http/api.ts` says what an API is. */
import type { Users } from '../../domain/users.ts';
import { formats } from '../formats/index.ts';
import type { Api } from '../http/api.ts';
import { docsApi } from './docs/index.ts';
import { healthApi } from './health/index.ts';
import { userSchemas, usersApi } from './users/index.ts';
import type { UsersSettings } from './users/users-service.ts';

/** @param directory the use cases, which all of them share */
export function apisOf(directory: Users, settings: UsersSettings): readonly Api[] {
  const users = usersApi({ users: directory, formats, settings });
  const health = healthApi(directory);
  const described = [users, health];
  return [...described, docsApi({ apis: described, documents: userSchemas(users), settings })];
}
