import { expect } from 'chai';
import { MongoNetworkError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import {
  toReadError,
  toWriteError,
} from '../../../../src/adapters/stores/mongodb/connection/driver-errors.ts';
import { DomainError } from '../../../../src/domain/base/errors.ts';

const codeOf = (failure: unknown): unknown => (failure instanceof DomainError ? failure.code : failure);
const written = (cause: unknown, attempts: number): unknown => codeOf(toWriteError(cause, attempts, 'user'));

const notPrimary = (labels: string[] = []) =>
  new MongoServerError({ message: 'not primary', code: 10107, errorLabels: labels });
const noMajority = new MongoWriteConcernError({
  ok: 1,
  writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
});

describe('How a write to MongoDB ended', () => {
  it('is known when it was never sent', () => {
    expect(written(new MongoNetworkError('pool cleared'), 0)).to.equal('unavailable');
  });
  it('is unknown once it was sent and the network failed', () => {
    expect(written(new MongoNetworkError('reset'), 1)).to.equal('outcome-unknown');
  });
  it('is unknown when a majority did not confirm it', () => {
    expect(written(noMajority, 1)).to.equal('outcome-unknown');
  });
  it('is unknown when the server ran out of time', () => {
    expect(written(new MongoServerError({ message: 'time', code: 50 }), 1)).to.equal('outcome-unknown');
  });
  it('is known when the only server asked was not the primary, and not when it was the second', () => {
    expect(written(notPrimary(), 1)).to.equal('unavailable');
    expect(written(notPrimary(), 2)).to.equal('outcome-unknown');
  });
  it('is known when the server says that no attempt wrote anything', () => {
    expect(written(notPrimary(['NoWritesPerformed']), 2)).to.equal('unavailable');
  });
  it('is a conflict with the index that the server names, in a member or in its message', () => {
    const duplicate = (more: object, message = 'E11000') =>
      new MongoServerError({ message, code: 11000, ...more });
    expect(written(duplicate({ keyPattern: { nameKey: 1 } }), 1)).to.equal('user-name-taken');
    expect(written(duplicate({ keyPattern: { _id: 1 } }), 1)).to.equal('id-taken');
    const named = (index: string) =>
      duplicate({}, `E11000 duplicate key error collection: a.b index: ${index} dup key`);
    expect(written(named('nameKey_1'), 1)).to.equal('user-name-taken');
    expect(written(named('_id_'), 1)).to.equal('id-taken');
  });
  it('is passed on unchanged when it is a fault of the service, as for a read', () => {
    const fault = new TypeError('ours');
    expect(written(fault, 1)).to.equal(fault);
    expect(codeOf(toReadError(fault))).to.equal(fault);
    expect(codeOf(toReadError(noMajority))).to.equal('unavailable');
  });
});
