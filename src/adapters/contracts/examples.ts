/** Examples, printed by the codecs of responses. */
import type { Format } from '../formats/port/format.ts';
import type { DocumentType } from '../http/pipeline/api.ts';
import type { DescribedProblemType } from '../http/problems/problem-types.ts';
import type { PrintProblem } from '../http/problems/problems.ts';
import type { Schema } from './names.ts';

type Printed = Omit<DocumentType, 'name'>;

function print(format: Format, { schema, naming, isList, example, besideExample }: Printed): string {
  const codec = format.codec<unknown>(schema, naming);
  const { open, item, close } = codec.list;
  return isList ? open(besideExample) + item(example) + close : codec.print(example);
}

export const documentExample = (format: Format, document: DocumentType): unknown =>
  format.inContracts.exampleOf(print(format, document));

/** An arbitrary UUID. */
const requestId = '6f0d9d5e-3c3f-4a52-9a39-0f9f9c1c7d11';

export function problemExample(
  format: Format,
  code: string,
  type: DescribedProblemType,
  printProblem: PrintProblem,
): Schema {
  const { title, meaning, example = [] } = type;
  const problem = { code, type, detail: meaning, violations: example, headers: {} };
  const { content } = printProblem(problem, requestId, format);
  return { summary: title, value: format.inContracts.exampleOf(content) };
}
