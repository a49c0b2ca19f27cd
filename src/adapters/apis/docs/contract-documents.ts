/** The OpenAPI document in both of its spellings, and the schema of problems. */
import type { Api, PrintProblem } from '../../http/api.ts';
import type { StaticDocument } from '../../http/static-documents.ts';
import type { Urls } from '../../http/urls.ts';
import { about } from './about.ts';

const problemsAbout =
  'Problem details (RFC 9457, appendix B) as the service writes them. Further optional elements may be added: ignore what you do not know.';

/** @param apis asked when a document is made: one of them is the API that publishes it */
export function contractDocuments(
  apis: () => readonly Api[],
  url: Urls,
  printProblem: PrintProblem,
): StaticDocument[] {
  const make = async () => {
    const { openApi } = await import('../../contracts/openapi.ts');
    return openApi({ info: about, apis: apis(), url, printProblem });
  };
  const at = (path: string, contentType: string, summary: string, text: StaticDocument['make']) => ({
    ...{ path, route: path, contentType, summary },
    make: text,
  });
  return [
    at('/openapi.json', 'application/json', 'This document, as JSON', async () =>
      JSON.stringify(await make(), null, 2),
    ),
    at('/openapi.yaml', 'application/yaml', 'This document, as YAML', async () => {
      const [document, { yaml }] = await Promise.all([make(), import('./yaml.ts')]);
      return yaml(document);
    }),
    at('/schemas/problem.xsd', 'application/xml; charset=utf-8', 'Problems as XML Schema', async () => {
      const { problemXsd } = await import('./problem-xsd.ts');
      return problemXsd(problemsAbout);
    }),
  ];
}
