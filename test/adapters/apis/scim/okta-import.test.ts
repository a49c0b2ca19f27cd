import { expect } from 'chai';
import { runs } from '../../../support/runs.ts';
import { userXml } from './exchanges.ts';
import { type OpenedService, onEachStore } from './exchanges-services.ts';
import { importExchanges, importedUser } from './okta-import.ts';

/** Some pages, of which the last is not full at a tenth. */
const total = Math.max(250, runs(1000));
/** Sent at once. */
const atOnce = 50;

/** Writes the users in XML. @returns their resources in the order of their ids */
async function writeUsers({ service, conversation: { placeholders } }: OpenedService) {
  const headers = { 'Content-Type': 'application/xml', Accept: 'application/xml' };
  const write = async (n: number) => {
    const { who, sent, read } = importedUser(n);
    const body = `<user xmlns="urn:user-management:1">${sent}</user>`;
    const { status, text } = await service.send('/users', { method: 'POST', headers, body });
    expect(status, text).to.equal(201);
    expect(text).to.equal(placeholders.learn(userXml(who, 1, [sent]), text));
    return { id: placeholders.value(`id ${who}`), read };
  };
  const written: Awaited<ReturnType<typeof write>>[] = [];
  for (let first = 0; first < total; first += atOnce)
    written.push(...(await Promise.all(Array.from({ length: atOnce }, (_, index) => write(first + index)))));
  return written.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ read }) => read);
}

describe('An import by Okta', () => {
  onEachStore((open) => {
    it('reads each user that an XML client has written, once and with all members', async () => {
      const opened = await open(['users:read']);
      try {
        const resources = await writeUsers(opened);
        for (const exchange of importExchanges(resources)) await opened.conversation.play(exchange);
      } finally {
        await opened.close();
      }
    });
  });
});
