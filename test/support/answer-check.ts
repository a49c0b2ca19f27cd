/** Holds every answer that any test receives to the published contract. */
import { expect } from 'chai';
import type { ContractCheck, XmlBody } from './contract-check.ts';
import { type Exchange, onExchange } from './exchanges.ts';
import type { PublishedSchema } from './scim-schemas.ts';
import { faultsBySchema, hasXmllint } from './xml-schema.ts';

/** Makes the whole service: loaded when a test has received an answer, so that other files of tests start without it. */
const loadContract = () => import('./contract.ts');

/** Of the tests' own, with a contract of their own (http/foreign-api.test.ts, third-kind.rest.test.ts, apis/scim/another-kind.test.ts, support/grown-users.ts, support/declared.ts). Clients with a profile lack members that are otherwise required (apis/access/directory.ts). */
const foreign = /^\/(?:base\/stock\/|devices\b|library\/|grown\/|declared\/|limited\/)/;

/** The check by what a service publishes. */
export async function publishedChecks(): Promise<Pick<ContractCheck, 'check'>> {
  const { contractChecks } = await import('./contract-check.ts');
  const { publishedJson } = await loadContract();
  return contractChecks({
    main: await publishedJson('/openapi.json'),
    schemas: (await publishedJson('/scim/v2/Schemas')).Resources as unknown as readonly PublishedSchema[],
  });
}

export class AnswerCheck {
  #checks: Pick<ContractCheck, 'check'> | undefined;
  #loading: Promise<void> | undefined;
  /** Answers that came before the contract was loaded. */
  readonly #waiting: (readonly [exchange: Exchange, test: string])[] = [];
  readonly #mistakes = new Set<string>();
  /** Each once, by its bytes. */
  readonly #bodies = new Map<string, XmlBody & { readonly test: string }>();
  #seen = 0;

  /** @param running the title of the test that runs */
  constructor(running: () => string) {
    onExchange((exchange) => {
      if (foreign.test(exchange.target)) return;
      this.#loading ??= this.#load();
      if (this.#checks === undefined) this.#waiting.push([exchange, running()]);
      else this.#check(this.#checks, exchange, running());
    });
  }

  async #load(): Promise<void> {
    const checks = await publishedChecks();
    for (const [exchange, test] of this.#waiting.splice(0)) this.#check(checks, exchange, test);
    this.#checks = checks;
  }

  #check(checks: Pick<ContractCheck, 'check'>, exchange: Exchange, test: string): void {
    this.#seen += 1;
    const { mistakes, xml } = checks.check(exchange);
    const { method, target, status } = exchange;
    for (const mistake of mistakes)
      this.#mistakes.add(`${method} ${target.slice(0, 80)}: ${status}, ${mistake} (in: ${test})`);
    if (xml !== undefined) this.#bodies.set(xml.document.toString('base64'), { ...xml, test });
  }

  /** Of the answers since the last call. */
  async expectNoMistakes(): Promise<void> {
    await this.#loading;
    const wrong = [...this.#mistakes, ...(await this.#findXmlFaults())];
    const seen = this.#seen;
    this.#mistakes.clear();
    this.#bodies.clear();
    this.#seen = 0;
    const some = wrong.slice(0, 20).join('\n');
    expect(
      wrong.length,
      `${wrong.length} mistakes against the contract in ${seen} answers:\n${some}\n`,
    ).to.equal(0);
  }

  async #findXmlFaults(): Promise<string[]> {
    if (this.#bodies.size === 0) return [];
    if (!hasXmllint()) {
      if (process.env.CI) throw new Error('xmllint is missing');
      return [];
    }
    const wrong: string[] = [];
    for (const schema of ['user', 'group', 'problem'] as const) {
      const these = [...this.#bodies.values()].filter((body) => body.schema === schema);
      if (these.length === 0) continue;
      const faults = faultsBySchema(
        await schemaText(schema),
        these.map(({ document }) => document),
      );
      for (const [index, fault] of faults.entries())
        if (fault !== undefined) wrong.push(`${fault} (in: ${these[index]?.test})`);
    }
    return wrong;
  }
}

const texts = new Map<string, Promise<string>>();

function schemaText(name: string): Promise<string> {
  const text = texts.get(name) ?? loadContract().then((one) => one.publishedText(`/schemas/${name}.xsd`));
  texts.set(name, text);
  return text;
}
