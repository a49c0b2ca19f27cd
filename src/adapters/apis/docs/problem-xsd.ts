/** `/schemas/problem.xsd`. In its own module, which is imported on demand. */
import { requiredOf } from '../../contracts/names.ts';
import { xsd } from '../../contracts/xsd.ts';
import { ProblemDocument, problemNaming } from '../../http/problems/problems.ts';

/** @param about a paragraph for people who read the file */
export const problemXsd = (about: string): string =>
  xsd({
    schema: ProblemDocument,
    naming: problemNaming,
    required: requiredOf(ProblemDocument),
    hasList: false,
    about: [about],
  });
