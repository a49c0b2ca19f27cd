/** An API that the kernel has never heard of: its own prefix, media type, error shape, paging and body limit. */
import Type from 'typebox';
import { json } from '../../../src/adapters/formats/json/json.ts';
import { type Format, runToEnd } from '../../../src/adapters/formats/port/format.ts';
import type { Api, BodyType, DescribedApi, DocumentType } from '../../../src/adapters/http/pipeline/api.ts';
import type { Context } from '../../../src/adapters/http/pipeline/context.ts';
import { respond } from '../../../src/adapters/http/pipeline/respond.ts';
import { HttpProblem } from '../../../src/adapters/http/problems/problems.ts';

const type = 'application/vnd.inventory+json';
const format: Format = {
  ...json,
  name: 'inventory',
  mediaTypes: [{ type, contentType: type }],
  patchTypes: [],
  problemType: 'application/vnd.inventory.error+json',
};

const Item = Type.Object({ id: Type.String(), label: Type.String({ maxLength: 20 }) });
type Item = Type.Static<typeof Item>;
const naming = { one: 'item', many: 'items', namespace: 'urn:inventory' };
const example: Item = { id: '1', label: 'lamp' };
const item: DocumentType = { name: 'Item', schema: Item, naming, example };
const items: DocumentType = { ...item, name: 'Items', isList: true };
const itemInput: BodyType = { ...item, name: 'ItemInput', kind: 'whole', ignores: ['id'] };
const codec = format.codec<Item>(Item, naming);

function show(ctx: Context, status: 200 | 201, content: string, more: readonly string[] = []) {
  return respond(ctx, {
    status,
    fields: [...more, 'Content-Type', type, 'Cache-Control', 'no-store'],
    content,
    vary: 'Accept',
  });
}

/** As a contract describes it, with problem details. @param waiting what a POST waits for before it is stored */
export function describedInventory(waiting: () => Promise<void> = async () => {}): DescribedApi {
  const stock: Item[] = [];
  return {
    name: 'inventory',
    description: 'What lies in the store room.',
    prefixes: ['/stock/v1'],
    access: 'credentials',
    isShed: true,
    maxBodyBytes: 100,
    formats: [format],
    problems: {
      'no-such-item': {
        status: 404,
        title: 'No item',
        meaning: 'Nothing lies there.',
        remedy: 'Look at the list.',
      },
    },
    routes: [
      {
        method: 'GET',
        path: '/stock/v1/about',
        id: 'about',
        access: 'open',
        isNegotiated: true,
        handle: (ctx) => show(ctx, 200, '{"inventory":true}'),
        summary: 'What this is',
        headers: [],
        answers: [{ status: 200, description: 'This.', shows: [type], headers: [] }],
        problems: [],
      },
      {
        method: 'GET',
        path: '/stock/v1/items',
        id: 'listItems',
        scope: 'users:read',
        isNegotiated: true,
        handle(ctx) {
          const start = Number(ctx.query.startAt ?? 0);
          const { open, close, between } = codec.list;
          const page = stock.slice(start, start + 2).map((one) => codec.list.item(one));
          return show(ctx, 200, open() + page.join(between) + close);
        },
        summary: 'List items, two a page',
        query: { startAt: { schema: { type: 'integer', minimum: 0 } } },
        headers: [],
        answers: [{ status: 200, description: 'Two at most.', shows: items, headers: [] }],
        problems: [],
      },
      {
        method: 'POST',
        path: '/stock/v1/items',
        id: 'createItem',
        scope: 'users:write',
        isNegotiated: true,
        async handle(ctx) {
          const { bytes } = await ctx.state.mounted.readBody(ctx);
          await waiting();
          const { label } = runToEnd(codec.read(bytes)).value as Item;
          const added = { id: String(stock.length + 1), label };
          stock.push(added);
          await show(ctx, 201, codec.print(added), ['Location', `/base/stock/v1/items/${added.id}`]);
        },
        summary: 'Add an item',
        headers: [],
        takes: itemInput,
        answers: [{ status: 201, description: 'Added.', shows: item, headers: ['Location'] }],
        problems: ['unreadable-body', 'body-too-large', 'unsupported-media-type', 'not-acceptable'],
      },
      {
        method: 'GET',
        path: '/stock/v1/items/:id',
        id: 'readItem',
        params: { id: { schema: { type: 'string' } } },
        scope: 'users:read',
        isNegotiated: true,
        handle(ctx) {
          const found = stock.find(({ id }) => id === ctx.params.id);
          if (found === undefined) throw new HttpProblem('no-such-resource', 'There is no such item.');
          return show(ctx, 200, codec.print(found));
        },
        summary: 'Read an item',
        headers: [],
        answers: [{ status: 200, description: 'The item.', shows: item, headers: [] }],
        problems: ['no-such-item', 'no-such-resource'],
      },
    ],
  };
}

/** With a form of its own for failures. */
export const inventoryApi = (waiting?: () => Promise<void>): Api => ({
  ...describedInventory(waiting),
  printProblem: ({ type: { status }, code, detail }, requestId) => ({
    contentType: format.problemType,
    content: JSON.stringify({ oops: code, http: status, detail, ref: requestId }),
  }),
});

export const inventoryType = type;
