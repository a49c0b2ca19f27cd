-- What wrk does beyond asking for one URL: requests that differ, and a report that can be read.
-- BENCH_METHOD, BENCH_PATH and BENCH_BODY make each request another: {id} and {at} name one of the first
-- thousand users, {new} is never the same twice within BENCH_RUN.

-- So that whoever started wrk sees it begin.
io.stdout:setvbuf("line")

local method = os.getenv("BENCH_METHOD")

if method then
  local path, body, run = os.getenv("BENCH_PATH"), os.getenv("BENCH_BODY"), os.getenv("BENCH_RUN")
  local count = 0
  request = function()
    count = count + 1
    local at = (count * 7919) % 1000
    local marks = {
      id = string.format("00000000-0000-7000-8000-%012d", at),
      at = tostring(at),
      new = run .. "-" .. count,
    }
    return wrk.format(method, (path:gsub("{(%l+)}", marks)), nil, (body:gsub("{(%l+)}", marks)))
  end
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"refused":%d,"broken":%d,"p99":%d}\n',
    summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(99)))
end
