import { expect } from 'chai';
import { MongoNetworkError, MongoWriteConcernError } from 'mongodb';
import {
  CommitUnknown,
  toReadError,
  toWriteError,
} from '../../../../src/adapters/stores/mongodb/connection/driver-errors.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';

const codeOf = (failure: unknown): unknown => (failure instanceof DomainError ? failure.code : failure);
const noMajority = new MongoWriteConcernError({
  ok: 1,
  writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
});

describe('How a write to MongoDB ended', () => {
  it('is known unless its commit was sent and not answered', () => {
    const reset = new MongoNetworkError('reset');
    expect(codeOf(toWriteError(reset))).to.equal('unavailable');
    expect(codeOf(toWriteError(new CommitUnknown('', { cause: reset })))).to.equal('outcome-unknown');
  });
  it('is an unchanged error when the service itself is at fault, as for reads', () => {
    const fault = new TypeError('ours');
    expect(toWriteError(fault)).to.equal(fault);
    expect(codeOf(toReadError(fault))).to.equal(fault);
    expect(codeOf(toReadError(noMajority))).to.equal('unavailable');
  });
});
