/** The official libraries of Standard Webhooks, for receivers, against the service's messages. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { headersOf, Messages } from '../../src/adapters/webhooks/message.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import { anEntry, aReceiver, secretOf } from '../adapters/webhooks/some.ts';
import { missing, needed, neededInPython, outputOf } from './tools.ts';

interface Case {
  readonly secret: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @returns whether the library accepts each message */
type Verify = (cases: readonly Case[]) => Promise<readonly boolean[]>;

interface Library {
  readonly Webhook: new (secret: string) => { verify(body: string, headers: object): unknown };
}

const inJavaScript: Verify = async (cases) => {
  const load = createRequire(join(process.env.NODE_TOOLS ?? '', 'node_modules', 'index.js'));
  const { Webhook } = load('standardwebhooks') as Library;
  return cases.map(({ secret, body, headers }) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch (error) {
      expect((error as Error).constructor.name).to.equal('WebhookVerificationError');
      return false;
    }
  });
};

const script = `
import json, sys
from standardwebhooks import Webhook, WebhookVerificationError
def accepts(case):
    try:
        Webhook(case["secret"]).verify(case["body"], case["headers"])
        return True
    except WebhookVerificationError:
        return False
print(json.dumps([accepts(case) for case in json.load(sys.stdin)]))
`;

const inPython: Verify = async (cases) =>
  JSON.parse((await outputOf('python3', ['-c', script], JSON.stringify(cases))).out);

const libraries = { JavaScript: inJavaScript, Python: inPython };

describe('The official library of Standard Webhooks', () => {
  const messages = new Messages(kindsOf());
  const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer];
  const now = Date.now();

  function caseOf(secrets: readonly Buffer[], secret: string, at = now, tail = ''): Case {
    const receiver = aReceiver({ secrets, content: 'values' });
    const values = { label: 'ada', before: {}, after: { title: 'Größe “L”\u{1F600}' } };
    const message = messages.ofEntry(receiver, anEntry({ values }), 'line');
    return { secret, body: message.body + tail, headers: headersOf(message, receiver, at) };
  }

  for (const [language, verify] of Object.entries(libraries))
    it(`for ${language} accepts messages, and refuses changed and old ones and those with another secret`, async function () {
      if (language === 'Python') neededInPython(this, 'standardwebhooks');
      else if (process.env.NODE_TOOLS === undefined) missing(this, 'NODE_TOOLS');
      needed(this, 'python3');
      const accepted = await verify([
        caseOf([first], secretOf(1)),
        caseOf([first, second], secretOf(1)),
        caseOf([first, second], secretOf(2)),
        caseOf([first], secretOf(2)),
        caseOf([first], secretOf(1), now, ' '),
        caseOf([first], secretOf(1), now - 600_000),
      ]);
      expect(accepted).to.deep.equal([true, true, true, false, false, false]);
    });
});
