/** The OpenAPI document of this API. A module of its own, imported when it is asked for. */
import { openApi } from '../../contracts/openapi.ts';
import type { Api } from '../../http/api.ts';
import type { Urls } from '../../http/urls.ts';
import { printScimError } from './problems.ts';

export const scimContract = (api: Api, url: Urls): string =>
  JSON.stringify(
    openApi({
      info: {
        title: 'User management: SCIM',
        description:
          'The same users as below /users, for identity providers: SCIM 2.0 (RFC 7643, RFC 7644) with cursors (RFC 9865). /scim/v2/Schemas has the attributes.',
        version: '1.0.0',
      },
      apis: [api],
      url,
      printProblem: printScimError,
    }),
    null,
    2,
  );
