/** Holds every answer that any test receives to the published contract. */
import { expect } from 'chai';
import { publishedJson, publishedText } from './contract.ts';
import { type ContractCheck, contractChecks, type XmlBody } from './contract-check.ts';
import { onExchange } from './exchanges.ts';
import type { PublishedSchema } from './scim-schemas.ts';
import { faultsBySchema, hasXmllint } from './xml-schema.ts';

/** Of the tests' own, with a contract of their own (http/foreign-api.test.ts, third-kind.test.ts, apis/scim/another-kind.test.ts). */
const foreign = /^\/(?:base\/stock\/|devices\b|library\/)/;

/** The check by what a service publishes. */
export const publishedChecks = async (): Promise<Pick<ContractCheck, 'check'>> =>
  contractChecks({
    main: await publishedJson('/openapi.json'),
    schemas: (await publishedJson('/scim/v2/Schemas')).Resources as unknown as readonly PublishedSchema[],
  });

export class AnswerCheck {
  readonly #checks: Pick<ContractCheck, 'check'>;
  readonly #mistakes = new Set<string>();
  /** Each once, by its bytes. */
  readonly #bodies = new Map<string, XmlBody & { readonly test: string }>();
  #seen = 0;

  private constructor(checks: Pick<ContractCheck, 'check'>) {
    this.#checks = checks;
  }

  /** @param running the title of the test that runs */
  static async start(running: () => string): Promise<AnswerCheck> {
    const one = new AnswerCheck(await publishedChecks());
    onExchange((exchange) => {
      if (foreign.test(exchange.target)) return;
      one.#seen += 1;
      const { mistakes, xml } = one.#checks.check(exchange);
      const { method, target, status } = exchange;
      for (const mistake of mistakes)
        one.#mistakes.add(`${method} ${target.slice(0, 80)}: ${status}, ${mistake} (in: ${running()})`);
      if (xml !== undefined) one.#bodies.set(xml.document.toString('base64'), { ...xml, test: running() });
    });
    return one;
  }

  /** Of the answers since the last call. */
  async expectNoMistakes(): Promise<void> {
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
  const text = texts.get(name) ?? publishedText(`/schemas/${name}.xsd`);
  texts.set(name, text);
  return text;
}
