/** The OpenAPI document of this API. A module of its own, imported when it is asked for. */
import { openApi } from '../../contracts/openapi.ts';
import type { Api, Route } from '../../http/api.ts';
import type { Urls } from '../../http/urls.ts';
import { printScimError } from './problems.ts';
import { describeBody } from './request-schemas.ts';

const description = `The same users as below \`/users\`, for identity providers: SCIM 2.0 (RFC 7643, RFC 7644) with cursors (RFC 9865). \`/scim/v2/Schemas\` has the attributes.

- **Names** of attributes and of the members of messages may be in any case of letters, with the URN of their schema in front; schemas here show them as the standards write them.
- **Locking.** Read the \`ETag\`, which \`meta.version\` repeats, and change with it in \`If-Match\`; 412 means that somebody else was first.
- **Errors** have the form of RFC 7644 §3.12 on every path. What is refused before it is a request of HTTP (400, 408, 431, 501) comes as problem details (RFC 9457).
- **Methods.** What answers to GET answers to HEAD, without the body, and every path to OPTIONS: 204, with its methods in \`Allow\`. Neither is listed below. Other
  methods are answered with 405 and \`Allow\`, other paths with 404; where credentials are needed, only to who has some. \`/scim/v2/Me\` answers 501 to GET, POST, PUT, PATCH and DELETE.
- **Credentials** come with every request but those of discovery: a signed token or an API key (Bearer), or an API key (Basic), as the operator has set up.
- **Growth.** Members, header fields, keywords of errors and operations may be added: ignore what you do not know.`;

/** Of the contract, not of the program: as that of the service's own (docs/version.ts). */
const version = '1.0.0';

const describeRoute = (route: Route): Route =>
  route.takes === undefined
    ? route
    : { ...route, takes: { ...route.takes, describedBy: describeBody(route.takes) } };

export const scimContract = (api: Api, url: Urls): string =>
  JSON.stringify(
    openApi({
      info: { title: 'User management: SCIM', description, version },
      apis: [{ ...api, routes: api.routes.map(describeRoute) }],
      url,
      printProblem: printScimError,
    }),
    null,
    2,
  );
