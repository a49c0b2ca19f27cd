/** The types of @unicode/unicode-15.1.0, so that the scripts here are checked where it isn't installed: all sets of code points but those below. */
declare module '@unicode/unicode-15.1.0/*/code-points.mjs' {
  const points: number[];
  export default points;
}
declare module '@unicode/unicode-15.1.0/*/index.mjs' {
  const values: ReadonlyMap<number, string>;
  export default values;
}
declare module '@unicode/unicode-15.1.0/Case_Folding/C/code-points.mjs' {
  const folded: ReadonlyMap<number, number>;
  export default folded;
}
declare module '@unicode/unicode-15.1.0/Case_Folding/F/code-points.mjs' {
  const folded: ReadonlyMap<number, readonly number[]>;
  export default folded;
}
declare module '@unicode/unicode-15.1.0/Simple_Case_Mapping/Lowercase/code-points.mjs' {
  const lowercase: ReadonlyMap<number, number>;
  export default lowercase;
}
declare module '@unicode/unicode-15.1.0/Special_Casing/Lowercase/code-points.mjs' {
  const lowercase: ReadonlyMap<number, readonly number[]>;
  export default lowercase;
}
