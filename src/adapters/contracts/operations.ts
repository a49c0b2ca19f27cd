/** The routes as OpenAPI's paths: each with its HEAD and OPTIONS. */
import { operations } from '../../domain/scopes.ts';
import { queryParameter } from '../apis/users/list-parameters.ts';
import { routes } from '../apis/users/routes.ts';
import { formats } from '../formats/index.ts';
import { bodyTypes, maxBodyBytes } from '../http/body.ts';
import { type ProblemCode, problemsAnywhere } from '../http/problems.ts';
import type { Route } from '../http/route.ts';
import { type Problems, success } from './answers.ts';
import { bodyExample } from './examples.ts';
import { headerParameter, optionsHeaders } from './headers.ts';
import type { Schema } from './names.ts';

/** `/users/:id` as OpenAPI writes it. */
export const template = (path: string): string => path.replace(/:([a-z]+)/g, '{$1}');

const idParameter = { $ref: '#/components/parameters/id' };
const pathParameters = (path: string): Schema[] => (path.includes(':id') ? [idParameter] : []);

/** OPTIONS tells of the path, whoever it names. */
const anyId: Schema = {
  ...{ name: 'id', in: 'path', required: true, description: 'Whatever stands there.' },
  schema: { type: 'string', minLength: 1 },
};

const operationId = ({ operation }: Route): string =>
  `${operation}${operation === 'list' ? 'Users' : 'User'}`;

const securityOf = (scopes: readonly string[]): Schema[] => [{ bearer: scopes }, { basic: scopes }];

function bodySchema(takes: 'user' | 'patch', isJson: boolean): Schema {
  const name = takes === 'user' ? 'User' : 'UserPatch';
  const suffix = isJson ? (takes === 'user' ? 'Input' : '') : 'Element';
  return { $ref: `#/components/schemas/${name}${suffix}` };
}

function requestBody({ method, takes }: Route): Schema {
  if (takes === undefined) return {};
  const entries = bodyTypes(method).map((type) => {
    const format = formats.find(
      ({ mediaTypes, patchTypes }) =>
        patchTypes.includes(type) || mediaTypes.some((candidate) => candidate.type === type),
    );
    const example =
      format === undefined ? {} : { ada: { summary: 'Ada', value: bodyExample(format, takes) } };
    return [type, { schema: bodySchema(takes, format?.isJson === true), examples: example }];
  });
  return {
    requestBody: {
      description: `At most ${maxBodyBytes} bytes after decoding. For XML the contract is the XML Schema, /schemas/user.xsd.`,
      required: true,
      content: Object.fromEntries(entries),
    },
  };
}

/** What can be done with the user that an answer shows. */
const linksOf = (from: string): Schema =>
  Object.fromEntries(
    routes
      .filter(({ path }) => path.includes(':id'))
      .map((route) => [
        operationId(route),
        {
          operationId: operationId(route),
          description: route.summary,
          parameters: {
            id: `$response.body#/${from}`,
            ...(route.headers[0] === 'If-Match' && from === 'id'
              ? { 'If-Match': '$response.header.ETag' }
              : {}),
          },
        },
      ]),
  );

function answersOf(route: Route, all: Problems, bodiless: boolean): Schema {
  const answers = route.answers.map((answer) => {
    const from = answer.shows === 'users' ? 'users/0/id' : answer.shows === 'user' ? 'id' : undefined;
    const links = from === undefined || bodiless ? {} : { links: linksOf(from) };
    return [answer.status, { ...success(answer, bodiless), ...links }];
  });
  return { ...Object.fromEntries(answers), ...all.answers(route.problems, bodiless) };
}

function operation(route: Route, all: Problems): Schema {
  const scope = operations[route.operation];
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: `${route.description} Takes the scope \`${scope}\`.`,
    tags: ['users'],
    security: securityOf([scope]),
    parameters: [...route.query.map(queryParameter), ...route.headers.map(headerParameter)],
    ...requestBody(route),
    responses: answersOf(route, all, false),
  };
}

const head = (route: Route, all: Problems): Schema => ({
  operationId: `${operationId(route)}Head`,
  summary: `${route.summary}: the header alone`,
  description: `As GET, without the body. Takes the scope \`${operations[route.operation]}\`.`,
  tags: ['users'],
  security: securityOf([operations[route.operation]]),
  parameters: [...route.query.map(queryParameter), ...route.headers.map(headerParameter)],
  responses: answersOf(route, all, true),
});

const optionsProblems: readonly ProblemCode[] = [
  ...problemsAnywhere,
  'unauthenticated',
  'unavailable',
  'overloaded',
];

const options = (path: string, all: Problems): Schema => ({
  operationId: path.includes(':id') ? 'userOptions' : 'usersOptions',
  summary: 'Tell the methods',
  description: 'Which methods the path answers to. Takes credentials, but no scope.',
  tags: ['users'],
  security: securityOf([]),
  parameters: path.includes(':id') ? [anyId] : [],
  responses: {
    204: { description: 'They stand in `Allow`.', headers: optionsHeaders() },
    ...all.answers(optionsProblems),
  },
});

export function userPaths(all: Problems): Schema {
  const paths = [...new Set(routes.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map((path) => {
      const here = routes.filter((route) => route.path === path);
      const methods = here.flatMap((route) => [
        [route.method.toLowerCase(), operation(route, all)],
        ...(route.method === 'GET' ? [['head', head(route, all)]] : []),
      ]);
      const parameters = [...pathParameters(path), headerParameter('X-Request-Id')];
      return [template(path), { parameters, ...Object.fromEntries(methods), options: options(path, all) }];
    }),
  );
}
