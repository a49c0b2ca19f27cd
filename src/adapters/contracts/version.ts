/**
 * The version of the published contract: of what clients meet, not of the program. The middle number rises with what is added,
 * the first with what breaks (docs/compatibility.md); a test holds this to what was recorded.
 */
export const contractVersion = '1.1.0';
