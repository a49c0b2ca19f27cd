/** httplint and REDbot (PyPI), linters of HTTP: their notes about exchanges and resources, as data. */
import type { Exchange, Fields } from '../support/exchanges.ts';
import { outputOf } from './tools.ts';

/** What a linter has to say of the exchange or resource at `index` of those it was given. */
export interface Note {
  readonly index: number;
  readonly level: 'good' | 'warning' | 'bad' | 'info';
  readonly summary: string;
  /** What it is about, such as `field-vary`. */
  readonly subject: string;
}

const told = `
def tell(index, notes):
  for note in notes:
    print(json.dumps({"index": index, "level": note.level.value, "summary": str(note.summary), "subject": note.subject}))
    tell(index, note.subnotes)
`;

const lint = `
import base64, json, sys
from httplint import HttpRequestLinter, HttpResponseLinter
${told}
raw = lambda fields: [(name.encode("latin1"), value.encode("latin1")) for name, value in fields]
for index, it in enumerate(json.load(sys.stdin)):
  request = HttpRequestLinter()
  request.process_request_topline(it["method"].encode(), it["url"].encode(), b"1.1")
  request.process_headers(raw(it["requestHeaders"]))
  response = HttpResponseLinter()
  response.request = request
  response.is_head_response = it["method"] == "HEAD"
  response.base_uri = it["url"]
  response.process_response_topline(it["httpVersion"].encode(), str(it["status"]).encode(), it["reason"].encode())
  response.process_headers(raw(it["headers"]))
  response.feed_content(base64.b64decode(it["body"]))
  response.finish_content(True, [])
  tell(index, response.notes)
`;

const bot = `
import json, sys, thor
from configparser import ConfigParser
from redbot.resource import HttpResource
${told}
config = ConfigParser()
config.read_dict({"redbot": {"enable_local_access": "True"}})
asked = json.load(sys.stdin)
resources = []
left = len(asked)
def done():
  global left
  left -= 1
  if left == 0: thor.stop()
for it in asked:
  resource = HttpResource(config["redbot"])
  resources.append(resource)
  resource.set_request(it["url"], method=it["method"], headers=[tuple(field) for field in it["sent"]])
  resource.on("check_done", done)
  resource.check()
thor.run()
for index, resource in enumerate(resources):
  if resource.fetch_error: raise Exception(resource.fetch_error.desc)
  tell(index, resource.response.notes)
  for check in resource.subreqs.values():
    if check.response: tell(index, check.response.notes)
`;

async function notes(script: string, input: unknown): Promise<Note[]> {
  const { out, err } = await outputOf('python3', ['-c', script], JSON.stringify(input));
  if (/Traceback|Error/.test(err)) throw new Error(err);
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Note]));
}

const origin = 'http://users.example';

/** What httplint says of answers, each with the request that it answers. */
export const httplint = (exchanges: readonly Exchange[]): Promise<Note[]> =>
  notes(
    lint,
    exchanges.map(({ target, body, ...rest }) => {
      const url = target.startsWith('/') ? origin + target : target;
      return { ...rest, url, body: body.toString('base64') };
    }),
  );

/** A request for REDbot to begin with. */
interface Resource {
  readonly method: string;
  readonly url: string;
  readonly sent: Fields;
}

/** What REDbot says after it has asked for each, and asked again in its own ways. */
export const redbot = (resources: readonly Resource[]): Promise<Note[]> => notes(bot, resources);
