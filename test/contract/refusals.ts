import { expect } from 'chai';
import { DomainError, type DomainErrorCode } from '../../src/domain/validation/errors.ts';

/** Waits for the refusal and returns it; fails without one, or if it has another code. */
export async function refused(doing: Promise<unknown>, code: DomainErrorCode): Promise<DomainError> {
  const cause = await doing.then(
    () => expect.fail(`it was done, though it should be refused as ${code}`),
    (reason: unknown) => reason,
  );
  if (!(cause instanceof DomainError)) throw cause;
  expect(cause.code).to.equal(code);
  return cause;
}

/** The outcome of a write: its result, or the code of its refusal. Throws other failures. */
export async function outcome<T>(doing: Promise<T>): Promise<T | DomainErrorCode> {
  try {
    return await doing;
  } catch (cause) {
    if (cause instanceof DomainError) return cause.code;
    throw cause;
  }
}
