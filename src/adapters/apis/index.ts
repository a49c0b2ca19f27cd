/** The registry of APIs. To add one: its folder, and a line here. `adapters/http/pipeline/api.ts` defines an API. */

import type { Kinds } from '../../domain/kinds.ts';
import type { Authenticator, Ids } from '../../domain/ports.ts';
import type { Changes } from '../../domain/use-cases/feed.ts';
import type { Groups } from '../../domain/use-cases/groups.ts';
import type { Users } from '../../domain/use-cases/users.ts';
import type { ChangeWatcher } from '../change-watcher/change-watcher.ts';
import { formats } from '../formats/index.ts';
import type { Api } from '../http/pipeline/api.ts';
import type { ReceiverStates } from '../webhooks/progress.ts';
import { accessApi, accessSchema } from './access/index.ts';
import { historyApi, withHistory } from './changes/history.ts';
import { changeSchemas, changesApi } from './changes/index.ts';
import { changesService } from './changes/service.ts';
import { consoleApi } from './console/index.ts';
import type { ConsoleSettings } from './console/page.ts';
import { docsApi } from './docs/index.ts';
import { defineGroups } from './groups/documents.ts';
import { groupsApi, membersSchema } from './groups/index.ts';
import { healthApi } from './health/index.ts';
import { resourceSchemas } from './resources/index.ts';
import type { ResourceSettings } from './resources/service.ts';
import { scimApi } from './scim/index.ts';
import type { ScimSettings, ServedType } from './scim/protocol/service.ts';
import { defineScimGroups } from './scim/types/group.ts';
import { defineScimUsers } from './scim/types/user.ts';
import { aboutUserXsd, defineUsers, usersApi } from './users/index.ts';
import { webhooksApi, webhooksSchema } from './webhooks/index.ts';

interface ApiParts {
  /** The use cases, shared by all APIs. */
  readonly kinds: Kinds;
  readonly users: Users;
  readonly groups: Groups;
  readonly changes: Changes;
  readonly watcher: ChangeWatcher;
  readonly receivers: Pick<ReceiverStates, 'read'>;
  readonly ids: Ids;
  /** The schemes of the accepted credentials. */
  readonly schemes: readonly Authenticator['scheme'][];
  readonly settings: ResourceSettings & ScimSettings & ConsoleSettings;
}

export function apisOf(parts: ApiParts): readonly Api[] {
  const { kinds, users, groups, changes, watcher, receivers, ids, schemes, settings } = parts;
  const [userDefinition, groupDefinition] = [defineUsers(kinds), defineGroups(kinds)];
  const changeService = changesService({ kinds, changes, watcher, formats });
  const userApi = withHistory(
    usersApi({ definition: userDefinition, resources: users, formats, settings }),
    userDefinition,
    changeService,
  );
  const groupApi = withHistory(
    groupsApi({ definition: groupDefinition, resources: groups, formats, settings }),
    groupDefinition,
    changeService,
  );
  const changeApi = changesApi(changeService);
  const health = healthApi(users);
  const described = [
    userApi,
    groupApi,
    changeApi,
    historyApi(changeService),
    accessApi(kinds, formats),
    webhooksApi(receivers, formats),
    health,
  ];
  const scimUsers: ServedType = {
    ...{ type: defineScimUsers(kinds), resources: users },
    related: {
      resources: groups,
      read: (principal, ids, limit) => groups.related(principal, 'user', ids, limit),
      has: (principal, id, group) => groups.isMember(principal, group, id),
    },
  };
  const scimGroups: ServedType = {
    ...{ type: defineScimGroups(kinds), resources: groups },
    related: {
      resources: users,
      read: (principal, ids, limit) => groups.related(principal, 'group', ids, limit),
      has: (principal, id, user) => groups.isMember(principal, id, user),
    },
  };
  // SCIM's contract is the RFCs and `/Schemas`.
  const scim = scimApi({ types: [scimUsers, scimGroups], ids, schemes, settings });
  const console = consoleApi(settings);
  return [
    ...described,
    scim,
    console,
    docsApi({
      apis: described,
      documents: [
        ...resourceSchemas(userApi, userDefinition, aboutUserXsd),
        ...resourceSchemas(groupApi, groupDefinition),
        membersSchema,
        ...changeSchemas(changeApi, changeService),
        accessSchema(kinds),
        webhooksSchema,
      ],
      settings,
    }),
  ];
}
