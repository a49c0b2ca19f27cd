import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { formats } from '../../../src/adapters/formats/index.ts';
import { User } from '../../../src/domain/kinds/user/user.ts';
import { listsOf, maxItemLength } from '../../contract/format-lists.ts';
import { aUser } from '../../support/a-user.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

for (const format of formats) {
  const codec = format.codec<User>(User, { one: 'user', many: 'users', namespace: 'urn:user-management:1' });
  const { open, between, close, item } = codec.list;

  describe(`The reader of lists in ${format.name}`, () => {
    it('takes no more memory for a list of 200,000 than for a list of 2,000', async () => {
      const some = Buffer.from(Array.from({ length: 100 }, () => item(aUser())).join(between));
      async function* many(): AsyncGenerator<Buffer> {
        yield Buffer.from(open());
        for (let at = 0; at < 2000; at += 1) {
          if (at > 0) yield Buffer.from(between);
          yield some;
        }
        yield Buffer.from(close);
      }
      let [count, early, late] = [0, 0, 0];
      for await (const batch of listsOf(format).read(many(), { maxRowLength: maxItemLength })) {
        expect(batch[0]?.value).to.have.property('id');
        count += batch.length;
        if (early === 0 && count >= 2000) early = heap();
        if (late === 0 && count >= 199_000) late = heap();
      }
      expect(count).to.equal(200_000);
      expect(late - early).to.be.below(2 * 1024 * 1024);
    });
  });
}
