/**
 * `/webhooks`: how far the receivers of webhooks are, for people and programs that watch them. The operator alone says where messages go, so the
 * document has no URLs, headers or secrets, and nothing can be changed here.
 */
import * as Type from 'typebox';
import { printCursor } from '../../../domain/changes/log.ts';
import { growth, xsdDocument } from '../../contracts/schema-documents.ts';
import type { Format } from '../../formats/port/format.ts';
import type { DescribedApi, DocumentType } from '../../http/pipeline/api.ts';
import { assertPresent } from '../../http/pipeline/context.ts';
import { unstoredResponder } from '../../http/pipeline/respond.ts';
import type { Failure, ReceiverState, ReceiverStates } from '../../webhooks/progress.ts';
import { changeProblems } from '../changes/problems.ts';
import { exampleId, namespace } from '../resources/definition.ts';

/** `webhook failures` lists all. */
const maxFailures = 20;

const Time = (description: string) => Type.String({ format: 'date-time', description });
const Outcome = Type.String({
  description: 'The status of the answer, `timeout`, or why there was none, such as `ECONNREFUSED`.',
});

const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));

const Attempt = Type.Object(
  { at: Time('When it ended.'), outcome: Outcome },
  { title: 'WebhookAttempt', description: 'The last attempt to send a message. Left out before the first.' },
);

const SetAside = Type.Object(
  {
    cursor: Type.String({ description: 'The place of the change in the log.' }),
    type: Type.String({ description: 'As in the log: `user.updated`.' }),
    id: Type.String({ description: 'The id of the user or the group.' }),
    at: Time('When it was set aside.'),
    outcome: Outcome,
  },
  { title: 'WebhookFailure', description: 'A change that was set aside after the last attempt.' },
);

const State = Type.Object(
  {
    id: Type.String({ description: 'The name of the receiver.' }),
    behind: count(
      'The number of entries of the change log from the first that may not have arrived to the newest. Left out for a receiver that has not begun.',
    ),
    lastAttempt: Type.Optional(Attempt),
    disabled: Type.Boolean({
      description: 'Whether the receiver has answered 410, so that nothing is sent to it.',
    }),
    gapPending: Type.Boolean({
      description: 'Whether the receiver is still to be told of a gap (`directory.gap`).',
    }),
    setAside: count('The number of changes that were set aside after the last attempt.'),
    failures: Type.Optional(
      Type.Array(SetAside, {
        item: 'failure',
        minItems: 0,
        maxItems: maxFailures,
        description: 'The newest of them, the newest first.',
      }),
    ),
  },
  {
    title: 'WebhookReceiver',
    description:
      'A receiver of webhooks. Credentials with an access profile see only `id`, `disabled` and `gapPending`.',
  },
);

const at = '2026-01-02T03:04:05.678Z';

const document: DocumentType = {
  name: 'Webhooks',
  schema: Type.Object(
    {
      receivers: Type.Array(State, {
        item: 'receiver',
        minItems: 0,
        description: "All receivers, in the order of the operator's file.",
      }),
    },
    { description: 'The receivers of webhooks.' },
  ),
  naming: { one: 'webhooks', many: 'webhooks', namespace },
  example: {
    receivers: [
      {
        ...{ id: 'payroll', behind: 12, lastAttempt: { at, outcome: '503' } },
        ...{ disabled: false, gapPending: false, setAside: 1 },
        failures: [
          { cursor: 'mDk3Zs0Q.42.Vw8tq1Cz', type: 'user.updated', id: exampleId, at, outcome: '503' },
        ],
      },
    ],
  },
};

const dateOf = (time: number): string => new Date(time).toISOString();

function toFailure({ type, id, at: time, outcome, ...place }: Failure): object {
  return { cursor: printCursor(place), type, id, at: dateOf(time), outcome };
}

/** @param isLimited by an access profile: counts and times would reveal changes that the profile hides */
function toReceiver({ id, behind, last, failures, ...is }: ReceiverState, isLimited: boolean): object {
  const state = { disabled: is.isDisabled, gapPending: is.hasGap };
  if (isLimited) return { id, ...state };
  return {
    id,
    ...(behind !== undefined && { behind }),
    ...(last && { lastAttempt: { at: dateOf(last.at), outcome: last.outcome } }),
    ...state,
    setAside: failures.length,
    failures: failures.slice(-maxFailures).reverse().map(toFailure),
  };
}

export function webhooksApi(
  states: Pick<ReceiverStates, 'read'>,
  formats: readonly [Format, ...Format[]],
): DescribedApi {
  const send = unstoredResponder(formats, document);
  return {
    name: 'webhooks',
    description: 'Where the receivers of webhooks are.',
    prefixes: ['/webhooks'],
    access: 'credentials',
    formats,
    problems: { 'not-logged': changeProblems['not-logged'] },
    routes: [
      {
        method: 'GET',
        path: '/webhooks',
        id: 'readWebhooks',
        scope: 'changes:read',
        isNegotiated: true,
        async handle(ctx) {
          const isLimited = assertPresent(ctx.state.principal).access !== undefined;
          const all = await states.read();
          await send(ctx, { receivers: all.map((one) => toReceiver(one, isLimited)) });
        },
        summary: 'Read where the receivers of webhooks are',
        description:
          'The operator configures receivers. The list is empty without any. Positions are up to a second old.',
        answers: [{ status: 200, description: 'The receivers.', shows: document }],
        problems: ['not-acceptable', 'not-logged'],
      },
    ],
  };
}

/** Published beside the OpenAPI document. */
export const webhooksSchema = xsdDocument('webhooks', 'Receivers of webhooks as XML Schema', {
  of: document,
  about: ['The document of GET /webhooks.', growth],
});
