/**
 * The versions of the published contract, which are not those of the program. A client that is pinned to one does not see later members:
 * `since` marks them in the schema of a kind (`domain/resource/annotations.ts`), and `domain/resource/projection.ts` hides them.
 */

/**
 * An addition increases the minor version, a breaking change the major version (docs/compatibility.md). A test compares it with the recorded
 * contract.
 */
export const contractVersion = '1.13.0';

/**
 * The minor versions that clients can name, the oldest first. The last is that of `contractVersion`; contracts/ has the documents of the
 * others. Tests compare the list with both: reading the folder would take time at each start.
 */
export const contractVersions: readonly string[] = ['1.12', '1.13'];
