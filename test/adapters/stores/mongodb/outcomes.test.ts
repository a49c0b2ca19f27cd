import { expect } from 'chai';
import { MongoNetworkError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import {
  toReadError,
  toTransactionError,
  toWriteError,
} from '../../../../src/adapters/stores/mongodb/connection/driver-errors.ts';
import { DomainError } from '../../../../src/domain/base/errors.ts';
import { userKind } from './documents.ts';

const codeOf = (failure: unknown): unknown => (failure instanceof DomainError ? failure.code : failure);
const written = (cause: unknown, attempts: number): unknown => codeOf(toWriteError(cause, attempts));

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
  it('is a conflict with the index that the server names', () => {
    const conflict = (index: string): unknown => {
      const message = `E11000 duplicate key error collection: a.b index: ${index} dup key`;
      return codeOf(toTransactionError(new MongoServerError({ message, code: 11000 }), userKind));
    };
    expect(conflict('name_1')).to.equal('user-name-taken');
    expect(conflict('_id_')).to.equal('id-taken');
  });
  it('is known of a transaction unless its commit was sent and not answered', () => {
    const ended = (errorLabels: string[]): unknown =>
      codeOf(toTransactionError(new MongoServerError({ message: 'x', code: 91, errorLabels }), userKind));
    expect(ended(['TransientTransactionError'])).to.equal('unavailable');
    expect(ended(['UnknownTransactionCommitResult'])).to.equal('outcome-unknown');
  });
  it('is passed on unchanged when it is a fault of the service, as for a read', () => {
    const fault = new TypeError('ours');
    expect(written(fault, 1)).to.equal(fault);
    expect(codeOf(toReadError(fault))).to.equal(fault);
    expect(codeOf(toReadError(noMajority))).to.equal('unavailable');
  });
});
