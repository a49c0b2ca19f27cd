/** Every way in which SCIM lets a client say whether a user is active. */
import { core, type Members, patchOp } from './exchanges.ts';

export interface Way {
  readonly name: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** In a Bulk of one. */
  readonly isBulk: boolean;
  /** @param active whatever stands where the boolean belongs */
  body(userName: string, active: unknown): Members;
}

/** As clients spell the attribute. */
const names = ['active', 'ACTIVE', `${core}:active`];
const operators = ['replace', 'Replace', 'REPLACE', 'add', 'Add', 'ADD'];

const patch = (operation: Members): Members => ({ schemas: [patchOp], Operations: [operation] });

type Part = Omit<Way, 'isBulk'>;

const wholeUsers = (method: 'POST' | 'PUT'): readonly Part[] =>
  names.map((name) => ({
    name: `a ${method} with ${name}`,
    method,
    body: (userName, active) => ({ schemas: [core], userName, [name]: active }),
  }));

const patchWay = (name: string, operation: (active: unknown) => Members): Part => ({
  name: `a PATCH that ${name}`,
  method: 'PATCH',
  body: (_, active) => patch(operation(active)),
});

const withPath = operators.flatMap((op) =>
  names.map((path) => patchWay(`says ${op} at ${path}`, (value) => ({ op, path, value }))),
);

const withoutPath = operators.flatMap((op) => [
  ...names.map((name) =>
    patchWay(`says ${op} of ${name}, without a path`, (active) => ({ op, value: { [name]: active } })),
  ),
  patchWay(`says ${op} of active below the URN, without a path`, (active) => ({
    ...{ op, value: { [core]: { active } } },
  })),
]);

/** As Entra ID once sent each value. */
const wrapped = ['Replace', 'Add'].map((op) =>
  patchWay(`says ${op} with the value in a list`, (value) => ({
    ...{ op, path: 'active', value: [{ $ref: null, value }] },
  })),
);

const groups: readonly (readonly Part[])[] = [
  wholeUsers('POST'),
  wholeUsers('PUT'),
  withPath,
  withoutPath,
  wrapped,
];

/** One of each kind, by itself and in a Bulk. */
export const usualWays: readonly Way[] = groups.flatMap((group) =>
  group.slice(0, 1).flatMap((way) => [
    { ...way, isBulk: false },
    { ...way, isBulk: true, name: `${way.name}, in a Bulk` },
  ]),
);

export const everyWay: readonly Way[] = [
  ...usualWays,
  ...groups.flatMap((group) => group.slice(1).map((way) => ({ ...way, isBulk: false }))),
];
