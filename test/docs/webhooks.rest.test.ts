import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { headersOf, Messages } from '../../src/adapters/webhooks/message.ts';
import { anEntry, aReceiver, secretOf } from '../adapters/webhooks/some.ts';
import { needed, outputOf } from '../outside/tools.ts';
import { until } from '../support/deadlines.ts';
import { aFreePort } from '../support/free-port.ts';
import { kinds } from '../support/kinds.ts';
import { aDataFolder } from '../support/process.ts';

const page = readFileSync('docs/webhooks.md', 'utf8');

/** The program of the page in the language. */
const programIn = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';

/** How each is started. @returns the command */
const languages: Readonly<
  Record<string, (context: Context, file: (name: string) => string) => Promise<readonly string[]>>
> = {
  js: async (_, file) => [process.execPath, file('receiver.mjs')],
  python: async (context, file) => [needed(context, 'python3'), file('receiver.py')],
  java: async (context, file) => [needed(context, 'java'), file('Receiver.java')],
  csharp: async (context, file) => {
    const [source, built] = [file('Receiver.cs'), join(file('Receiver.cs'), '../receiver.exe')];
    const { out, err } = await outputOf(needed(context, 'mcs'), [`-out:${built}`, source]);
    expect(out + err).to.equal('');
    return [needed(context, 'mono'), built];
  },
};

describe('The receiver of webhooks on the page', () => {
  const messages = new Messages(kinds);
  const receiver = aReceiver();
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  for (const [language, start] of Object.entries(languages))
    it(`takes each message once, and refuses forged and old ones: ${language}`, async function () {
      const folder = aDataFolder();
      const file = (name: string): string => {
        writeFileSync(join(folder, name), programIn(language));
        return join(folder, name);
      };
      const [program = '', ...args] = await start(this, file);
      const port = await aFreePort();
      const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secretOf(1) };
      child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
      let out = '';
      child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
        out += piece;
      });
      const message = messages.ofEntry(receiver, anEntry(), 'line');
      const send = async (headers: Record<string, string>, body = message.body): Promise<number> =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status;
      const { 'Content-Length': _, ...signed } = headersOf(message, receiver, Date.now());
      await until('it listens', () =>
        send(signed).then(
          () => true,
          () => false,
        ),
      );
      expect(await send(signed)).to.equal(204);
      expect(await send(signed, `${message.body} `)).to.equal(401);
      const other = aReceiver({ secrets: [Buffer.alloc(32, 2), Buffer.alloc(32, 1)] });
      const { 'Content-Length': __, ...both } = headersOf(message, other, Date.now());
      expect(await send(both)).to.equal(204);
      expect(
        await send({ ...signed, 'webhook-signature': both['webhook-signature'].split(' ')[0] ?? '' }),
      ).to.equal(401);
      const { 'Content-Length': ___, ...old } = headersOf(message, receiver, Date.now() - 600_000);
      expect(await send(old)).to.equal(401);
      const next = messages.ofEntry(receiver, anEntry({ number: 43 }), 'line');
      const { 'Content-Length': ____, ...later } = headersOf(next, receiver, Date.now());
      expect(await send(later, next.body)).to.equal(204);
      await until('both were printed', () => out.includes('43_line_'));
      expect(
        out
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[0]),
      ).to.deep.equal([message.id, next.id]);
    });
});
