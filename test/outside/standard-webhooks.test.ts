/** The official libraries of Standard Webhooks, for receivers, against the service's messages. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { headersOf, Messages } from '../../src/adapters/webhooks/message.ts';
import { kindsOf } from '../../src/domain/kinds.ts';
import { anEntry, aReceiver, secretOf } from '../adapters/webhooks/some.ts';
import { aDataFolder } from '../support/process.ts';
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

const program = `
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Verify {
  public static void main(String[] arguments) throws Exception {
    Scanner cases = new Scanner(System.in, StandardCharsets.UTF_8).useDelimiter("\\\\R");
    while (cases.hasNext()) {
      String secret = cases.next(), body = cases.next();
      Map<String, List<String>> headers = new HashMap<>();
      for (String name : List.of("webhook-id", "webhook-timestamp", "webhook-signature"))
        headers.put(name, List.of(cases.next()));
      try {
        new Webhook(secret).verify(body, HttpHeaders.of(headers, (name, value) -> true));
        System.out.println(true);
      } catch (WebhookVerificationException refused) {
        System.out.println(false);
      }
    }
  }
}
`;

/** The version that .ci/tools installs. */
const jar = 'com/standardwebhooks/standardwebhooks/1.2.0/standardwebhooks-1.2.0.jar';

const inJava: Verify = async (cases) => {
  const file = join(aDataFolder(), 'Verify.java');
  writeFileSync(file, program);
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const lines = cases.flatMap(({ secret, body, headers }) => [
    ...[secret, body],
    ...names.map((name) => headers[name] ?? ''),
  ]);
  const classes = join(process.env.MAVEN_REPOSITORY ?? '', jar);
  const { out, err } = await outputOf('java', ['-cp', classes, file], `${lines.join('\n')}\n`);
  expect(err).to.equal('');
  return out
    .trim()
    .split('\n')
    .map((word) => word === 'true');
};

interface Tested {
  readonly verify: Verify;
  /** Skips the test where the library isn't there. */
  readonly need: (context: Context) => void;
}

const neededIn = (context: Context, place: string): unknown => process.env[place] ?? missing(context, place);

const libraries: Readonly<Record<string, Tested>> = {
  JavaScript: { verify: inJavaScript, need: (context) => void neededIn(context, 'NODE_TOOLS') },
  Python: { verify: inPython, need: (context) => neededInPython(context, 'standardwebhooks') },
  Java: {
    verify: inJava,
    need(context) {
      needed(context, 'java');
      neededIn(context, 'MAVEN_REPOSITORY');
    },
  },
};

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

  for (const [language, { verify, need }] of Object.entries(libraries))
    it(`for ${language} accepts messages, and refuses changed and old ones and those with another secret`, async function () {
      need(this);
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
