import { DomainError, maxViolations } from '../../validation/errors.ts';

/**
 * Ids of a change of members that belong to no user.
 * @param positions in the list `name` of the change, as pointers tell them
 */
export const unknownMembers = (name: 'add' | 'remove', positions: readonly number[]): DomainError =>
  new DomainError('invalid-members', 'Only users can be members; nothing was changed.', {
    violations: positions
      .slice(0, maxViolations)
      .map((at) => ({ pointer: `/${name}/${at}`, detail: 'belongs to no user' })),
  });

/** The position of the id in the list that the pointer of such a violation names. */
export const positionIn = (pointer: string): number => Number(pointer.slice(pointer.lastIndexOf('/') + 1));
