/** The trace that a request belongs to: W3C Trace Context, as a client or a gateway sends it. */
import type { IncomingHttpHeaders } from 'node:http';

export interface TraceContext {
  /** 32 lower-case hexadecimal digits. */
  readonly traceId: string;
  /** The caller's span: 16 digits. */
  readonly spanId: string;
  /** The last bit is set if the caller has recorded its part. */
  readonly flags: number;
  /** `tracestate`, which is passed on unread. */
  readonly state?: string;
}

const format = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

const isZero = (digits: string): boolean => /^0+$/.test(digits);

/** Undefined without a `traceparent`, and for one that can't be read, which is ignored (§4.3). A later version may have more fields. */
export function readTraceContext({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = format.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  const state = typeof tracestate === 'string' ? { state: tracestate } : {};
  return { traceId, spanId, flags: Number.parseInt(flags, 16), ...state };
}
