/** Okta and Entra ID create users in a running service, which the old client then reads. */
import { entraExchanges } from '../adapters/apis/scim/entra-exchanges.ts';
import { entraPatches, patchedUserInXml } from '../adapters/apis/scim/entra-patches.ts';
import { wholeUserInXml } from '../adapters/apis/scim/entra-whole-user.ts';
import { Conversation, type Exchange, type Members } from '../adapters/apis/scim/exchanges.ts';
import { oktaExchanges } from '../adapters/apis/scim/okta-exchanges.ts';
import { oktaUsersInXml } from '../adapters/apis/scim/okta-lifecycle.ts';
import { exchange } from '../support/exchanges.ts';
import { type Answer, answerOf, type Request } from '../support/service.ts';

/** What the service is told that others see. */
export const publicUrl = 'https://users.example';

interface Recording {
  readonly exchanges: readonly Exchange[];
  /** By our own names for the users: the document that there is in the end. */
  readonly inXml: Readonly<Record<string, string>>;
}

const recordings: readonly Recording[] = [
  // First, since it begins with a directory without users.
  { exchanges: oktaExchanges, inXml: oktaUsersInXml },
  {
    exchanges: [...entraExchanges, ...entraPatches],
    inXml: { dana: wholeUserInXml, erin: patchedUserInXml },
  },
];

interface Provisioned {
  /** Of each user, by id: what the old client has to find, to the character. */
  readonly documents: ReadonlyMap<string, string>;
  /** The user's resource, without what every write changes. */
  readByScim(id: string): Promise<Members>;
}

/** @param secret an API key as its bearer secret @throws AssertionError for an answer that isn't as recorded */
export async function provision(url: string, secret: string): Promise<Provisioned> {
  const authorization = `Bearer ${secret}`;
  const send = async (path: string, request: Request): Promise<Answer> =>
    answerOf(await exchange(url + path, request));
  const documents = new Map<string, string>();
  for (const { exchanges, inXml } of recordings) {
    const conversation = new Conversation(send, authorization, publicUrl);
    for (const one of exchanges) await conversation.play(one);
    const { placeholders } = conversation;
    for (const [who, document] of Object.entries(inXml)) {
      const id = placeholders.value(`id ${who}`);
      const headers = { Accept: 'application/xml', Authorization: authorization };
      const { text } = await send(`/users/${id}`, { headers });
      documents.set(id, String(placeholders.learn(document, text)));
    }
  }
  return {
    documents,
    readByScim: async (id) => {
      const { text } = await send(`/scim/v2/Users/${id}`, { headers: { Authorization: authorization } });
      const { meta, ...rest } = JSON.parse(text) as Members;
      const { lastModified: _time, version: _version, ...stays } = meta as Members;
      return { ...rest, meta: stays };
    },
  };
}
