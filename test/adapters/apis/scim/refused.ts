import { ScimError } from '../../../../src/adapters/apis/scim/resource/errors.ts';

/** `scimType: detail` of the ScimError that is thrown; what is returned otherwise, as JSON. */
export function refusal(run: () => unknown): string {
  try {
    return `not refused: ${JSON.stringify(run())}`;
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    return `${error.scimType}: ${error.message}`;
  }
}
