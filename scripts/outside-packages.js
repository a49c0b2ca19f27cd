/** The packages outside of the bundle: native code, and a driver that few operators need and that imports optional packages. */
export const outsidePackages = ['better-sqlite3', 'mongodb'];
