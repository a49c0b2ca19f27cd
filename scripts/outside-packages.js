/** The packages that the bundle imports when it runs: native code, and a driver that few need and that imports optional packages. */
export const outsidePackages = ['better-sqlite3', 'mongodb'];
