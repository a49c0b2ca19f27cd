import { expect } from 'chai';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { examineDeclarations } from '../../../src/domain/examine-declarations.ts';
import { kindsOf } from '../../../src/domain/kinds.ts';
import { startDeclared } from '../../support/declared.ts';

describe('A declaration for texts that are stored', () => {
  it('is refused if a client could not send a stored text as a value, so that no value is rounded', async () => {
    const store = memoryStore(kindsOf({}));
    const service = await startDeclared({}, {}, store);
    const attributes = { account: '12345678901234567890', left: '2016-12-31T23:59:60Z', rate: '1.50' };
    await service.send('/users', {
      method: 'POST',
      body: JSON.stringify({ userName: 'ada', attributes }),
      headers: { 'Content-Type': 'application/json' },
    });
    const declared = {
      attributes: {
        account: { type: 'decimal' },
        left: { type: 'dateTime' },
        rate: { type: 'decimal', retired: true },
      },
    } as const;
    const findings = await examineDeclarations(store, {}, declared);
    expect(findings.map(({ verdict }) => verdict)).to.deep.equal(['fault', 'fault', 'note']);
    await service.close();
  });
});
