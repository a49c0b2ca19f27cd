/**
 * Others' PATCH, in a process of its own, since it writes to whatever a path leads to. Takes cases as lines of JSON, each with a
 * `resource` and `operations`; prints a line for each: the resource that comes of it, or null where it refuses.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

type ScimPatch = (resource: object, operations: readonly object[]) => object;

const load = createRequire(join(process.env.NODE_TOOLS ?? '', 'node_modules', 'index.js'));
const { scimPatch } = load('scim-patch') as { readonly scimPatch: ScimPatch };

for await (const line of createInterface({ input: process.stdin })) {
  const { resource, operations } = JSON.parse(line) as { resource: object; operations: object[] };
  let result: object | null;
  try {
    result = scimPatch(resource, operations);
  } catch {
    result = null;
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
