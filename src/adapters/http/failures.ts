/** The one place where an error becomes an answer (RFC 9457), and where what must not be shown stays behind. */
import { carriable, maxViolations } from '../../domain/validation.ts';
import type { Format } from '../formats/format.ts';
import { formats } from '../formats/index.ts';
import { type Context, type Next, present, type Service } from './context.ts';
import { negotiateProblem } from './negotiation.ts';
import {
  type Meaning,
  meaningOf,
  type ProblemDocument,
  problemNaming,
  problems,
  ProblemDocument as schema,
} from './problems.ts';
import { answerHeaders } from './routes.ts';
import type { Urls } from './urls.ts';

/** Called with what 5xx answers hide, under the request's id. */
export type ReportFault = (error: unknown, requestId: string) => void;

const codecs = new Map(
  formats.map((format) => [format, format.codec<ProblemDocument>(schema, problemNaming)] as const),
);

function documentOf({ code, detail, violations }: Meaning, url: Urls, id: string): ProblemDocument {
  const { status, title } = problems[code];
  const errors = violations
    .slice(0, maxViolations)
    .map(({ pointer, detail: why }) => ({ pointer: carriable(pointer), detail: why }));
  return {
    type: url(`/problems/${code}`),
    title,
    status,
    detail,
    instance: `urn:uuid:${id}`,
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** The problem document, for the request with this id. */
export const printProblem = (meaning: Meaning, url: Urls, id: string, format: Format): string =>
  present(codecs.get(format)).print(documentOf(meaning, url, id));

/** What a handler may have said of a success before it failed. */
const ofSuccess = [...answerHeaders, 'Content-Security-Policy'];

export const answerFailures =
  (service: Service, report: ReportFault) =>
  async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const meaning = meaningOf(error);
      const { status } = problems[meaning.code];
      if (status >= 500) report(error, ctx.state.requestId);
      ctx.state.problem = meaning.code;
      const format = negotiateProblem(ctx.get('Accept'), ctx.state.bodyChoice, service.defaultChoice);
      ctx.status = status;
      for (const field of ofSuccess) ctx.remove(field);
      ctx.set(meaning.headers);
      ctx.set('Cache-Control', 'no-store');
      ctx.set('Content-Type', format.problemType);
      ctx.body = printProblem(meaning, service.url, ctx.state.requestId, format);
    }
  };
