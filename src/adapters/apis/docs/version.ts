/**
 * The version of the published contract, not of the program. An addition increases the minor version, a breaking change the major version
 * (docs/compatibility.md). A test compares it with the recorded contract.
 */
export const contractVersion = '1.12.0';
