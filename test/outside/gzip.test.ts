import { expect } from 'chai';
import { Scene } from './scene.ts';
import { setups } from './setups.ts';
import { needed } from './tools.ts';

const json = { 'content-type': 'application/json' };

/** Reads as a browser does, and writes back under the tag it got. */
async function readAndReplace(scene: Scene, coding: string) {
  const path = await scene.aUser('zipped-user');
  const read = await scene.ask(path, { headers: { 'accept-encoding': coding } });
  const tag = read.headers.etag ?? '';
  const headers = { ...json, 'if-match': tag };
  const body = JSON.stringify({ userName: 'zipped-user', title: 'second' });
  const written = await scene.ask(path, { method: 'PUT', headers, body });
  return { coding: read.headers['content-encoding'], weak: tag.startsWith('W/'), status: written.status };
}

describe('A client that reads and then replaces under If-Match', () => {
  let scene: Scene | undefined;
  afterEach(() => scene?.close());

  const cases = {
    'gets 412 where nginx compresses, since that weakens the tag': [
      'nginx with gzip on',
      'gzip',
      { coding: 'gzip', weak: true, status: 412 },
    ],
    'succeeds there when it accepts no coding': [
      'nginx with gzip on',
      'identity',
      { coding: undefined, weak: false, status: 200 },
    ],
    'succeeds where nginx leaves compressing alone': [
      'nginx with gzip off',
      'gzip',
      { coding: undefined, weak: false, status: 200 },
    ],
    'succeeds where nginx compresses and takes the weakening back': [
      'nginx that strengthens tags',
      'gzip',
      { coding: 'gzip', weak: true, status: 200 },
    ],
  } as const;
  for (const [what, [name, coding, expected]] of Object.entries(cases)) {
    it(what, async function () {
      scene = await Scene.open(name, needed(this, setups[name].program));
      expect(await readAndReplace(scene, coding)).to.deep.equal(expected);
    });
  }

  it('still gets 412 after another change, behind a gateway that restores strong tags', async function () {
    const name = 'nginx that strengthens tags';
    scene = await Scene.open(name, needed(this, setups[name].program));
    const path = await scene.aUser('zipped-user');
    const { headers } = await scene.ask(path, { headers: { 'accept-encoding': 'gzip' } });
    const body = JSON.stringify({ userName: 'zipped-user', title: 'second' });
    await scene.service.send(path, { method: 'PUT', headers: json, body });
    const late = { ...json, 'if-match': headers.etag ?? '' };
    expect((await scene.ask(path, { method: 'PUT', headers: late, body })).status).to.equal(412);
  });
});
