/** The OpenAPI document, as JSON and as YAML, and the XML Schema of problems. */
import { requiredOf } from '../../contracts/names.ts';
import type { DescribedApi } from '../../http/pipeline/api.ts';
import type { Urls } from '../../http/pipeline/urls.ts';
import { type PrintProblem, ProblemDocument, problemNaming } from '../../http/problems/problems.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import { about } from './about.ts';

const problemsAbout =
  'Problem details (RFC 9457, appendix B) as the service writes them. Further optional elements may be added: ignore what you do not know.';

/** @param apis called when a document is made, since one of them is the API that publishes it */
export function contractDocuments(
  apis: () => readonly DescribedApi[],
  url: Urls,
  printProblem: PrintProblem,
): StaticDocument[] {
  const describe = async () => {
    const { openApi } = await import('../../contracts/openapi.ts');
    return openApi({ info: about(), apis: apis(), url, printProblem });
  };
  return [
    {
      path: '/openapi.json',
      contentType: 'application/json',
      summary: 'This document, as JSON',
      make: async () => JSON.stringify(await describe(), null, 2),
    },
    {
      path: '/openapi.yaml',
      contentType: 'application/yaml',
      summary: 'This document, as YAML',
      async make() {
        const [document, { printYaml }] = await Promise.all([describe(), import('./yaml.ts')]);
        return printYaml(document);
      },
    },
    {
      path: '/schemas/problem.xsd',
      contentType: 'application/xml; charset=utf-8',
      summary: 'Problems as XML Schema',
      async make() {
        const { xsd } = await import('../../contracts/xsd.ts');
        return xsd({
          schema: ProblemDocument,
          naming: problemNaming,
          required: requiredOf(ProblemDocument),
          hasList: false,
          about: [problemsAbout],
        });
      },
    },
  ];
}
