/**
 * The version of the published contract, not of the program. An addition raises the middle number, a breaking change the first one
 * (docs/compatibility.md); a test holds this to the recorded contract.
 */
export const contractVersion = '1.0.0';
