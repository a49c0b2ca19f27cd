import type { ChangeLog } from '../../../../src/domain/changes/log.ts';
import { DomainError } from '../../../../src/domain/validation/errors.ts';

const fail = async (): Promise<never> => {
  throw new DomainError('unavailable', 'The store is out of reach.');
};

/** A log that nobody can read. */
export const unavailable: ChangeLog = {
  read: fail,
  history: fail,
  latest: fail,
  measure: fail,
  prune: fail,
  erase: fail,
};
