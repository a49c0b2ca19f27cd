/** The contract of each Authenticator (src/domain/ports.ts). */
import { expect } from 'chai';
import type { Authenticator } from '../../src/domain/ports.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';

interface AuthenticatorSetup {
  /** May become another one with `withdraw`, if keys can't change at run time. */
  readonly authenticator: Authenticator;
  /** The owner of the credentials. */
  readonly client: string;
  /** Valid credentials with these scopes. */
  credentials(scopes: readonly string[]): Promise<string>;
  /** Well-formed credentials that were never issued. */
  forged(): Promise<string>;
  /** Removes each key from the configured set, and waits until that takes effect. */
  withdraw(): Promise<void>;
  dispose(): Promise<void>;
}

/** The refusal of these credentials, thrown or promised; anything else fails the test. */
export async function refusal(authenticator: Authenticator, credentials: string): Promise<DomainError> {
  try {
    await authenticator.authenticate(credentials);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('The credentials were accepted.');
}

const garbage = [
  '',
  ' ',
  '.',
  '..',
  ':',
  '=',
  'null',
  '\u0000',
  'ÿ',
  'a'.repeat(100_000),
  'e30.e30.',
  'Og==',
];

/** Runs the suite; `make` is called anew for each test. */
export function itIsAnAuthenticator(make: () => Promise<AuthenticatorSetup>): void {
  let setup: AuthenticatorSetup;
  beforeEach(async () => {
    setup = await make();
  });
  afterEach(() => setup.dispose());

  const scopesFor = async (granted: readonly string[]) => {
    const { scopes } = await setup.authenticator.authenticate(await setup.credentials(granted));
    return [...scopes].sort();
  };

  it('gives the scopes of valid credentials', async () => {
    expect(await scopesFor(['users:read'])).to.deep.equal(['users:read']);
    expect(await scopesFor(['users:delete'])).to.deep.equal(['users:delete']);
  });

  it('names the owner of the credentials', async () => {
    const { id } = await setup.authenticator.authenticate(await setup.credentials(['users:read']));
    expect(id).to.equal(setup.client);
  });

  it('lets a client that may write also read', async () => {
    expect(await scopesFor(['users:write'])).to.deep.equal(['users:read', 'users:write']);
  });

  it('accepts the same credentials again and again', async () => {
    const credentials = await setup.credentials(['users:read']);
    await setup.authenticator.authenticate(credentials);
    const { scopes } = await setup.authenticator.authenticate(credentials);
    expect([...scopes]).to.deep.equal(['users:read']);
  });

  it('judges credentials without waiting from the second time on', async () => {
    const [first, second, forged] = [
      await setup.credentials(['users:read']),
      await setup.credentials(['users:delete']),
      await setup.forged(),
    ];
    await setup.authenticator.authenticate(first);
    const principal = setup.authenticator.authenticate(second);
    if (principal instanceof Promise) throw new Error('It is a promise.');
    expect([...principal.scopes]).to.deep.equal(['users:delete']);
    expect(() => setup.authenticator.authenticate(forged)).to.throw(DomainError);
  });

  it('refuses credentials that were never issued', async () => {
    const { code } = await refusal(setup.authenticator, await setup.forged());
    expect(code).to.equal('unauthenticated');
  });

  for (const credentials of garbage) {
    it(`refuses garbage: ${JSON.stringify(credentials.slice(0, 20))}`, async () => {
      const { code } = await refusal(setup.authenticator, credentials);
      expect(code).to.equal('unauthenticated');
    });
  }

  it('refuses valid credentials with anything before, after or within them', async () => {
    const valid = await setup.credentials(['users:read']);
    const middle = valid.length / 2;
    const changed = [` ${valid}`, `${valid} `, `${valid}\n`, `${valid}=`, `${valid}.`, valid.slice(0, -2)];
    changed.push(`${valid.slice(0, middle)} ${valid.slice(middle)}`, `${valid}, ${valid}`);
    for (const credentials of changed) {
      const { code } = await refusal(setup.authenticator, credentials);
      expect(code, JSON.stringify(credentials)).to.equal('unauthenticated');
    }
  });

  it('remembers nothing: credentials are refused as soon as their key is withdrawn', async () => {
    const credentials = await setup.credentials(['users:read']);
    await setup.authenticator.authenticate(credentials);
    await setup.withdraw();
    const { code } = await refusal(setup.authenticator, credentials);
    expect(code).to.equal('unauthenticated');
  });

  it('refuses credentials without repeating them', async () => {
    const forged = await setup.forged();
    const error = await refusal(setup.authenticator, forged);
    const parts = forged.split(/[.:]/).filter((part) => part.length > 3);
    for (const part of parts) expect(error.message).not.to.contain(part);
    expect(error.message).to.match(/^[A-Z][A-Za-z ]+(?: \(USERS_[A-Z_]+\))?\.$/);
    expect(error.cause).to.equal(undefined);
  });

  it('can be closed more than once', async () => {
    await setup.authenticator.close();
    await setup.authenticator.close();
  });
}
