import { expect } from 'chai';
import { headersOf, Messages } from '../../../src/adapters/webhooks/message.ts';
import { kindsOf } from '../../../src/domain/kinds.ts';
import { anEntry, aReceiver } from './some.ts';

const messages = new Messages(kindsOf());
const line = 'mDk3Zs0Q';
const dataOf = ({ body }: { body: string }) => JSON.parse(body).data;

describe('A webhook', () => {
  it('says what changed and who changed it, and no value, unless the receiver asks for values', () => {
    const { body, id } = messages.ofEntry(aReceiver(), anEntry(), line);
    expect(id).to.equal('42_mDk3Zs0Q_Vw8tq1Cz');
    expect(JSON.parse(body)).to.deep.equal({
      type: 'user.updated',
      timestamp: '2026-01-02T03:04:05.678Z',
      data: {
        ...{ cursor: 'mDk3Zs0Q.42.Vw8tq1Cz', type: 'user.updated', id: anEntry().id, version: '3' },
        ...{ at: '2026-01-02T03:04:05.678Z', by: { client: 'hr' }, via: 'users' },
        changed: ['/title', '/attributes'],
      },
    });
    const values = dataOf(messages.ofEntry(aReceiver({ content: 'values' }), anEntry(), line));
    expect(values).to.deep.include({ label: 'ada', ...anEntry().values });
    expect(values.changed).to.deep.equal(['/title', '/attributes/shoeSize']);
  });

  it('is the same document in XML', () => {
    const receiver = aReceiver({ format: 'xml', content: 'values' });
    const { body, contentType } = messages.ofEntry(receiver, anEntry(), line);
    expect(contentType).to.equal('application/xml; charset=utf-8');
    expect(body).to.match(/^<\?xml version="1.0" encoding="UTF-8"\?>\s*<event xmlns="urn:user-management:1"/);
    expect(body).to.contain('<type>user.updated</type>').and.to.contain('<title>Countess &amp; more</title>');
  });

  it('is below 20 kB: it leaves out what is too long, and says so', () => {
    const after = { title: 'é'.repeat(10_000) };
    const long = anEntry({ values: { label: 'ada', before: { title: 'Ms' }, after } });
    const withValues = messages.ofEntry(aReceiver({ content: 'values' }), long, line);
    expect(dataOf(withValues)).to.include({ label: 'ada' }).and.not.to.have.any.keys('before', 'after');
    expect(dataOf(withValues).leftOut).to.deep.equal(['before', 'after']);
    const added = Array.from(
      { length: 1000 },
      (_, at) => `019b7c5a-3f6e-7c3a-8a52-${String(at).padStart(12, '0')}`,
    );
    const { changed, values, ...members } = anEntry({ type: 'group.members-changed', added });
    for (const format of ['json', 'xml']) {
      const { body } = messages.ofEntry(aReceiver({ format }), members, line);
      expect(Buffer.byteLength(body)).to.be.below(20_000);
      expect(body).to.contain('leftOut').and.to.contain('added').and.not.to.contain(added[0]);
    }
  });

  it('reports a gap, with its reason and the cursor from which the receiver continues', () => {
    const from = { line, number: 7, mark: 'abc' };
    const { id, body } = messages.ofGap(aReceiver(), 'expired', from, 0);
    expect(id).to.equal('gap_7_mDk3Zs0Q_abc_0');
    expect(JSON.parse(body)).to.deep.equal({
      type: 'directory.gap',
      timestamp: '1970-01-01T00:00:00.000Z',
      data: { reason: 'expired', from: 'mDk3Zs0Q.7.abc' },
    });
  });

  it('has the headers of the receiver’s gateway beside its own', () => {
    const receiver = aReceiver({ headers: { 'X-Gateway': 'let me in' } });
    const message = messages.ofTest(receiver, 5);
    const headers = headersOf(message, receiver, 1_700_000_000_999);
    expect(headers).to.include({
      ...{ 'X-Gateway': 'let me in', 'webhook-id': 'test_5', 'webhook-timestamp': '1700000000' },
      ...{ 'Content-Length': String(message.body.length), 'Content-Type': 'application/json' },
    });
    expect(headers['User-Agent']).to.match(/^user-management\/\d/);
  });
});
