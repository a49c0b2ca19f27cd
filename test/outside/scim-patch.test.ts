import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import fc from 'fast-check';
import { ScimError } from '../../src/adapters/apis/scim/resource/errors.ts';
import { runToEnd } from '../../src/adapters/formats/port/format.ts';
import { applyPatch, readPatch } from '../support/scim-users.ts';
import { type PatchCase, type PatchOperation, patchCase, type Resource } from './patch-cases.ts';
import { type Difference, differences } from './patch-differences.ts';
import { missing, outputOf } from './tools.ts';

const runs = 5000;

function isInstalled(): boolean {
  try {
    accessSync(join(process.env.NODE_TOOLS ?? '', 'node_modules', 'scim-patch'));
    return true;
  } catch {
    return false;
  }
}

function patch(resource: Resource, operations: readonly PatchOperation[]): Resource | null {
  const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations };
  try {
    return runToEnd(applyPatch(resource, runToEnd(readPatch(body))));
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    return null;
  }
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Without empty values, which mean the same as missing ones (RFC 7643 §2.5), and with members in one order. */
function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([name, inner]): [string, unknown] => [name, canonical(inner)])
    .filter(([, inner]) => !isEmpty(inner))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** What came of a case, as one text. */
function outcome(resource: Resource | null): string {
  if (resource === null) return 'refused';
  const { schemas: _schemas, meta: _meta, ...rest } = resource;
  return JSON.stringify(canonical(rest));
}

/** The differences that the operations run into, one after the other. */
function differencesIn({ resource, operations }: PatchCase): ReadonlySet<Difference> {
  const found = new Set<Difference>();
  let now: Resource | null = resource;
  for (const operation of operations) {
    for (const one of differences) if (now !== null && one.concerns(now, operation)) found.add(one);
    if (now !== null) now = patch(now, [operation]);
  }
  return found;
}

describe('A PATCH, compared to another implementation', () => {
  const program = fileURLToPath(new URL('scim-patch-process.ts', import.meta.url));

  async function othersOutcomes(cases: readonly PatchCase[]): Promise<string[]> {
    const input = cases.map((one) => `${JSON.stringify(one)}\n`).join('');
    const { out, err } = await outputOf(process.execPath, [program], input);
    if (err !== '') throw new Error(err);
    return out
      .trimEnd()
      .split('\n')
      .map((line) => outcome(JSON.parse(line)));
  }

  it('has the same result, except for the listed differences, which all exist', async function () {
    if (!isInstalled()) missing(this, 'scim-patch');
    const cases = fc.sample(patchCase, { numRuns: runs, seed: 76443 });
    const others = await othersOutcomes(cases);
    expect(others).to.have.length(runs);
    const seen = new Set<Difference>();
    let alike = 0;
    for (const [index, one] of cases.entries()) {
      const ours = outcome(patch(one.resource, one.operations));
      const reasons = differencesIn(one);
      if (reasons.size === 0) {
        alike += 1;
        expect(ours, JSON.stringify(one)).to.equal(others[index]);
      } else if (ours !== others[index] && reasons.size === 1) for (const reason of reasons) seen.add(reason);
    }
    expect(alike).to.be.above(runs / 2);
    expect(differences.filter((one) => !seen.has(one)).map(({ says }) => says)).to.deep.equal([]);
  });
});
