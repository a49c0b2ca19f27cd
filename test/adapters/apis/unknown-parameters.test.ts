import { expect } from 'chai';
import { nobody } from '../../support/clients.ts';
import { apis, scim } from '../../support/contract.ts';
import { startService, type TestService } from '../../support/service.ts';

const routes = [...apis, scim].flatMap((api) => api.routes);

const pathOf = (path: string): string => path.replace(/:\w+/g, nobody);

/** RFC 7644 §3.4.2 asks for it. What deletes, and a body that has the parameters, refuse them; all is refused at `/Me`. */
const isIgnored = ({ method, path }: { method: string; path: string }): boolean =>
  path.endsWith('/Me') || (path.startsWith('/scim/') && method !== 'DELETE' && !/\.search$|Bulk$/.test(path));

describe('A query parameter that a route does not read', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  const detailOf = async (method: string, path: string): Promise<string> => {
    const { status, text } = await service.send(path, { method });
    expect(status, `${method} ${path}: ${text}`).to.equal(400);
    return text;
  };

  for (const { method, path } of routes.filter((route) => !isIgnored(route)))
    it(`is refused by ${method} ${path}`, async () => {
      expect(await detailOf(method, `${pathOf(path)}?erased=true`)).to.match(
        /\\?"erased\\?" is not a parameter of this request/,
      );
    });

  it('is refused by HEAD and OPTIONS, too, unless another method of the path reads it', async () => {
    for (const path of ['/users', `/users/${nobody}`, '/changes', '/health/live', '/openapi.json']) {
      await service.send(path, { method: 'HEAD' });
      expect((await service.send(`${path}?x=1`, { method: 'HEAD' })).status, path).to.equal(400);
      expect(await detailOf('OPTIONS', `${path}?x=1`)).to.include('is not a parameter of this request');
    }
    for (const path of ['/users?limit=1', `/users/${nobody}?erase=true`, '/scim/v2/Users?x=1'])
      expect((await service.send(path, { method: 'OPTIONS' })).status, path).to.equal(204);
  });

  it('is ignored by SCIM, except for deletions, as identity providers expect', async () => {
    const headers = { 'content-type': 'application/scim+json' };
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
    const body = JSON.stringify({ schemas, userName: 'entra' });
    const made = await service.send('/scim/v2/Users?aadOptscim062020', { method: 'POST', headers, body });
    expect(made.status, made.text).to.equal(201);
    const { id } = JSON.parse(made.text);
    for (const path of [`/Users/${id}`, '/Users', '/ServiceProviderConfig', '/Schemas'])
      expect((await service.send(`/scim/v2${path}?aadOptscim062020&x=1`)).status, path).to.equal(200);
    const query = 'aadOptscim062020&attributes=userName&excludedAttributes=emails&Count=1';
    const { status } = await service.send(`/scim/v2/Users/${id}?${query}`, { method: 'DELETE' });
    expect(status).to.equal(204);
  });

  it('is named in the error, with the supported parameters', async () => {
    const [one, none, several] = await Promise.all([
      detailOf('DELETE', `/groups/${nobody}?earse=true`),
      detailOf('POST', '/users?dryRun=true'),
      detailOf('GET', '/history?typ=user.deleted&x=1'),
    ]);
    expect(JSON.parse(one).detail).to.equal(
      '"earse" is not a parameter of this request (perhaps erase). The parameters are erase.',
    );
    expect(JSON.parse(none).detail).to.equal('"dryRun" is not a parameter of this request. It takes none.');
    expect(JSON.parse(several).detail).to.match(
      /"typ" is .* \(perhaps type\)\. "x" is .* The parameters are limit, /,
    );
  });

  it('is not read among more than 250 parameters, even by routes that ignore unknown ones', async () => {
    const most = Array.from({ length: 250 }, (_, at) => `x${at}`).join('&');
    for (const path of ['/users', `/groups/${nobody}`, '/scim/v2/Users', '/docs'])
      expect(await detailOf('GET', `${path}?${most}&%ZZ`), path).to.include(
        'The query has more than 250 parameters, empty ones included.',
      );
    expect((await service.send(`/scim/v2/Users?${most}`)).status).to.equal(200);
    expect(await detailOf('GET', `/users?${most}`)).to.include('is not a parameter of this request');
  });
});
