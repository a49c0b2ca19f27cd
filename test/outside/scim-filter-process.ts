/**
 * Others' filter, in a process of its own. Takes cases as lines of JSON, each with the filter's `text`, a `resource` and the indexes
 * of the differences that are to be mended; prints a line for each: true, false, or null where it refuses.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Difference, differences, type Resource, type Tree } from './filter-differences.ts';

interface ScimFilter {
  parse(text: string): Tree;
  filter(tree: Tree): (resource: Resource) => boolean;
}

interface FilterCase {
  readonly text: string;
  readonly resource: Resource;
  readonly mended: readonly number[];
}

const load = createRequire(join(process.env.NODE_TOOLS ?? '', 'node_modules', 'index.js'));
const { parse, filter } = load('scim2-parse-filter') as ScimFilter;

function answer({ text, resource, mended }: FilterCase): boolean | null {
  const mending = mended.flatMap((index): Difference[] => differences.slice(index, index + 1));
  try {
    let tree = parse(mending.reduce((mended, { inText }) => inText?.(mended) ?? mended, text));
    let shown = resource;
    for (const { inTree, inResource } of mending) {
      tree = inTree?.(tree) ?? tree;
      shown = inResource?.(shown) ?? shown;
    }
    return filter(tree)(shown);
  } catch {
    return null;
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${answer(JSON.parse(line) as FilterCase)}\n`);
