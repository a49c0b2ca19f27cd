import { expect } from 'chai';
import { DomainError, type DomainErrorCode } from '../../src/domain/validation/errors.ts';

/** Waits for the refusal and returns it; fails when there is none or it says something else. */
export async function refused(doing: Promise<unknown>, code: DomainErrorCode): Promise<DomainError> {
  const cause = await doing.then(
    () => expect.fail(`it was done, though it should be refused as ${code}`),
    (reason: unknown) => reason,
  );
  if (!(cause instanceof DomainError)) throw cause;
  expect(cause.code).to.equal(code);
  return cause;
}

/** How a write ended: what it returned, or the code it was refused with. Any other failure is thrown. */
export async function outcome<T>(doing: Promise<T>): Promise<T | DomainErrorCode> {
  try {
    return await doing;
  } catch (cause) {
    if (cause instanceof DomainError) return cause.code;
    throw cause;
  }
}
