/** schemathesis, which makes requests from the published contract, against the service. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { expect } from 'chai';
import { formats } from '../../src/adapters/formats/index.ts';
import { type Json, publishedJson } from '../support/contract.ts';
import { caseDeadline } from '../support/deadlines.ts';
import { runs as rounds } from '../support/runs.ts';
import { aToken, startService, type TestService } from '../support/service.ts';
import { withTolerated } from '../support/tolerated.ts';
import { neededInPython, outputOf } from './tools.ts';

/** The number of generated requests for each operation, in addition to those that it derives from the contract. */
const examples = process.env.SCHEMATHESIS_EXAMPLES ?? String(rounds(10));

/**
 * What its choices are made from. The same each time, since this stands in the way of every change: what nobody changed
 * shall break nothing. Another one, or none (`SCHEMATHESIS_SEED=`, for choices made anew), looks where this one doesn't;
 * a run that fails says its seed.
 */
const seed = process.env.SCHEMATHESIS_SEED ?? '1';

/** Allows the empty values that the service accepts although clients should not send them: it would report them. */
function withWhatIsTolerated(document: Json): Json {
  const { components } = document;
  const schemas = withTolerated(components?.schemas, '#/components/schemas/');
  const all = { ...(document as object), components: { ...(components as object | undefined), schemas } };
  return all as unknown as Json;
}

/**
 * The contract with bodies in these media types alone: it would choose among them by chance. Types of the same schema have one reader, and
 * it would send each of its thousands of bodies in each: of them only the last remains.
 * @param areRead whether the service looks at bodies; otherwise each type has a few of any kind
 */
function only(document: Json, types: readonly string[], areRead: boolean): unknown {
  const isContent = (name: string, value: unknown): value is object =>
    name === 'requestBody' && typeof value === 'object';
  return JSON.parse(
    JSON.stringify(document, (name, value: unknown) => {
      if (!isContent(name, value) || !('content' in value)) return value;
      const kept = Object.entries(value.content as object).filter(([type]) => types.includes(type));
      const content = areRead
        ? new Map(kept.map((one) => [JSON.stringify(one[1]), one])).values()
        : kept.map(([type]) => [type, { schema: {} }]);
      return { ...value, content: Object.fromEntries(content) };
    }),
  );
}

interface Run {
  /** What it is told of the contract, where that isn't all. */
  readonly described?: (document: Json) => Json;
  /** Of bodies. */
  readonly types: readonly string[];
  readonly withoutChecks: readonly string[];
  /** What it does without a token; omitted: all that it does with one. */
  readonly phases?: string;
}

const typesOf = (name: string): readonly string[] => {
  const format = formats.find((candidate) => candidate.name === name);
  return [...(format?.mediaTypes.map(({ type }) => type) ?? []), ...(format?.patchTypes ?? [])];
};

const runs: Readonly<Record<'json' | 'xml', Run>> = {
  json: {
    described: withWhatIsTolerated,
    types: typesOf('json'),
    withoutChecks: [],
  },
  xml: {
    types: typesOf('xml'),
    // Its own printer makes them meaningless: OpenAPI has no words for `<attribute name="…">`.
    withoutChecks: ['positive_data_acceptance', 'negative_data_rejection'],
    // Its phase "coverage" gets 401 for each value of each parameter: as in JSON, and printed as in these phases.
    phases: 'examples,fuzzing,stateful',
  },
};

/** To be called in a file of its own for each format, so that the runs go on side by side. */
export function describeSchemathesis(name: keyof typeof runs): void {
  describe(`schemathesis in ${name}`, function () {
    this.timeout(5 * caseDeadline);
    let service: TestService;
    let folder: string;
    beforeEach(async () => {
      // Each run has its own: it leaves there what it has seen, and a later one would begin with that, whatever its seed.
      folder = mkdtempSync(join(tmpdir(), 'users-schemathesis-'));
      // It thinks for longer than a connection is kept otherwise, and takes one that was closed meanwhile for a fault.
      service = await startService({ timeouts: { headers: 60_000, request: 60_000, keepAlive: 60_000 } });
    });
    afterEach(async () => {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function run(
      { described = (document) => document, types, withoutChecks, phases }: Run,
      token?: string,
    ): Promise<string> {
      const file = join(folder, `${name}.json`);
      const document = described(await publishedJson('/openapi.json'));
      // Without a token no body is read.
      writeFileSync(file, JSON.stringify(only(document, types, token !== undefined)));
      const fields = token === undefined ? [] : [`Authorization: Bearer ${token}`];
      const settings = resolve('test/outside/schemathesis.toml');
      const args = [
        ...['-m', 'schemathesis.cli', '--config-file', settings, 'run', file, '--url', service.url],
        // Not `--checks all`: said here it would go before what the settings except. All is what it does by itself.
        ...['--max-examples', examples, '--no-color', '--suppress-health-check', 'all', '--warnings', 'off'],
        ...(seed === '' ? [] : ['--seed', seed]),
        ...(token !== undefined || phases === undefined ? [] : ['--phases', phases]),
        ...withoutChecks.flatMap((check) => ['--exclude-checks', check]),
        ...[`Accept: ${types[0]}`, ...fields].flatMap((field) => ['-H', field]),
      ];
      const python = [resolve('test/outside'), process.env.PYTHON_TOOLS, process.env.PYTHONPATH].filter(
        Boolean,
      );
      // Otherwise it looks for proxies twice for each request.
      const environment = [
        'NO_PROXY=127.0.0.1',
        `PYTHONPATH=${python.join(delimiter)}`,
        'SCHEMATHESIS_HOOKS=schemathesis_hooks',
      ];
      const { out, err } = await outputOf('env', ['-C', folder, ...environment, 'python3', ...args]);
      return out + err;
    }

    for (const how of ['with a token', 'without'])
      it(`finds no fault, ${how}`, async function () {
        neededInPython(this, 'schemathesis');
        const told = await run(runs[name], how === 'without' ? undefined : await aToken());
        expect(told, told).to.match(/✅ Stateful/);
        expect(told, told).to.match(/(\d+) generated, \1 passed/);
      });
  });
}
