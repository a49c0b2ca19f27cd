/** Takes spans over OTLP/HTTP and reads them with OpenTelemetry's own protobuf classes (an earlier release's: later ones only write). */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import root from 'otlp-decoder/build/src/generated/root.js';
import { until } from './deadlines.ts';

type Attributes = Readonly<Record<string, string | number>>;

export interface ReceivedSpan {
  readonly name: string;
  /** OTLP's number: 2 for a server's, 3 for a client's. */
  readonly kind: number;
  /** In hexadecimal digits, as the two below; empty without a parent. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly attributes: Attributes;
  /** Of what sent it. */
  readonly resource: Attributes;
  readonly isError: boolean;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  /** All spans that came, when there is one that matches, now or later. */
  received(matches: (span: ReceivedSpan) => boolean): Promise<readonly ReceivedSpan[]>;
  close(): Promise<void>;
}

interface Pair {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: unknown };
}

/** Of the classes' messages, what is read here: their own types leave it out. */
interface Message {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Pair[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly name: string;
        readonly kind: number;
        readonly traceId: Uint8Array;
        readonly spanId: Uint8Array;
        readonly parentSpanId: Uint8Array | null;
        readonly attributes: readonly Pair[];
        readonly status: { readonly code: number } | null;
      }[];
    }[];
  }[];
}

interface Root {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly trace: {
          readonly v1: { readonly ExportTraceServiceRequest: { decode(body: Buffer): Message } };
        };
      };
    };
  };
}

const { ExportTraceServiceRequest } = (root as unknown as Root).opentelemetry.proto.collector.trace.v1;

const hex = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex');

const attributesOf = (pairs: readonly Pair[]): Attributes =>
  Object.fromEntries(
    pairs.map(({ key, value: { stringValue, intValue } }) => [key, stringValue || Number(intValue)]),
  );

const decode = (body: Buffer): ReceivedSpan[] =>
  ExportTraceServiceRequest.decode(body).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        name: span.name,
        kind: Number(span.kind),
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId),
        attributes: attributesOf(span.attributes),
        resource: attributesOf(resource.attributes),
        isError: Number(span.status?.code) === 2,
      })),
    ),
  );

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    requests.push({ path: request.url ?? '', headers: request.headers });
    spans.push(...decode(Buffer.concat(pieces)));
    response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async received(matches) {
      await until('a span that matches has come', () => spans.some(matches));
      return spans;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
