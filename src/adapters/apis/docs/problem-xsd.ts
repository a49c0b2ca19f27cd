/** `/schemas/problem.xsd`. A module of its own, imported when the document is asked for. */
import { requiredOf } from '../../contracts/names.ts';
import { xsd } from '../../contracts/xsd.ts';
import { ProblemDocument, problemNaming } from '../../http/problems/problems.ts';

/** @param about a paragraph for whoever opens the file */
export const problemXsd = (about: string): string =>
  xsd({
    schema: ProblemDocument,
    naming: problemNaming,
    required: requiredOf(ProblemDocument),
    hasList: false,
    about: [about],
  });
