/** The test of each fault: by what stands first in its row of docs/faults.md, the title of the test. */
export const faultTests: Readonly<Record<string, string>> = {
  'One line that names `USERS_PUBLIC_URL`: the URL cannot be sent in a header field':
    'refuses a public URL that no client could read, in one line that names it, and leaves no file behind',
  'One line that names `USERS_CORS_ORIGINS`: no browser sends such origins':
    'refuses origins that no browser sends, in one line that names it, and leaves no file behind',
  'One line that names `NODE_ENV`: `Production` is not `production`':
    'refuses NODE_ENV=Production, which would be development, in one line that names it, and leaves no file behind',
  'One line that names the path of the database: below `/proc`, a device, a folder or a FIFO':
    'names the unusable path of the database (below /proc) and exits at once',
  '`run chmod 600 on it`: others can read the file of API keys':
    'are refused at the start while users other than the owner may read their file',
  'Lines that name `USERS_WEBHOOKS_FILE` and a receiver: the file of receivers has mistakes':
    'refuses a file of receivers with mistakes, and names all of them, as check does',
  '`a webhook was not delivered`: a receiver of webhooks is down or refuses a change':
    'wait longer after each failure; after the tenth the entry is set aside, and the next one of the resource is sent',
  '`a webhook was not delivered`, with `410`': 'end with 410, until a command or another file enables them',
  '`waits for its access profile`: the file of access profiles no longer has the profile that a receiver names':
    'sends nothing to a receiver whose profile is missing, and tells it of a gap when the profile was changed',
  'The place of a key in `USERS_JWT_KEY_SET_FILE`, and what is wrong with it (short, private, exponent 1, off its curve)':
    'with an untrustworthy key is refused at the start, naming the key',
  '`access.file (USERS_ACCESS_FILE)`: the file of access profiles is missing, or has mistakes':
    'prevents the start when it is missing or wrong, with all mistakes in one line, and leaves no data behind',
  'Credentials with an access profile get 503; the log names the file of profiles: it was deleted or damaged':
    'keeps its last good version for the configured time while it is damaged; then credentials with a profile get 503, and no others',
  '`better-sqlite3 does not load`: an unsupported platform, or `node_modules` copied from another one':
    'says in one line what to do when better-sqlite3 does not load, as serve, backup and restore do',
  '`Node … or later is required`': 'refuses to start on a Node older than package.json requires',
  'One line that names `USERS_METRICS_PORT`: the port is in use':
    'prevent the start when their port is in use, with a message that names it',
  'One line that names `USERS_METRICS_HOST` and `USERS_METRICS_PORT`: the metrics listen on the address of the service':
    'reports metrics on the address of the service',
  '`(the disk is full)`': 'says that the disk is full',
  '`it is damaged`, after a crash of the machine or a kill': 'refuses to start on it',
  'The name of a missing table': 'is refused with the name of a missing table',
  '`has layout …, of an earlier release`':
    'is refused and left unchanged with layout 3, and the error has the commands that move its users, groups and memberships: it has no history',
  '`has layout …, of an earlier release`, `it copies the file to`: a command meets a file that a migration is due for':
    'is left to the service: other commands say what is due, and change nothing',
  '`its migration to layout … needs … bytes`, more than the disk has':
    'is refused without space for the copy; the error says how much it needs',
  '`its migration to layout … is not finished`: the service was killed during a migration, and a command meets the file':
    'continues when the service starts after an interruption; until then commands refuse the file',
  '`its log … is gone or empty`: the WAL was removed after a kill':
    'does not start without its WAL, which had the last answered writes',
  'The same: the WAL was emptied after a kill': 'refuses to start when data is missing: the WAL was emptied',
  '`belongs to another state of it`: a backup was copied over the file, beside the old WAL':
    'does not apply its WAL to a copy by SQLite’s backup of the same run',
  '`… while it was in use`: the database, its WAL or its shared memory was removed, moved, replaced, emptied or overwritten':
    'no write is confirmed after the file is removed, and it exits with 1 (workers: 1)',
  'The same, without writes: the file was removed':
    'it ends when its file is removed, even without writes, and refuses to start with an empty directory',
  'The same: the WAL was removed': 'writes that were answered before its WAL was removed are in the file',
  '`SQLITE_IOERR_FSYNC`': 'exits with 1, and every write that it confirmed is stored (workers: 1)',
  '`SQLITE_IOERR_WRITE`: the WAL cannot be copied into the file':
    'exits with 1 when the WAL cannot be copied into the file, before the WAL has grown far',
  '`did not stop in order`: the same at shutdown':
    'does not exit with 0 when the WAL cannot be copied into the file at the end',
  '`IOERR` or `CORRUPT` in the log: reads fail': 'exits with 1 when it cannot read a requested user',
  '`CORRUPT` in the log: pages are damaged':
    'is unready and exits with 1 when it finds the damage, and confirms no write (workers: 1)',
  'A crash truncated or damaged the WAL: nothing is seen, but the last writes can be missing':
    'recovers all readable commits with npm run restore',
  '`a worker does not answer: it is killed`: it has made no progress for 30 s (`USERS_TIMEOUTS_UNRESPONSIVE`)':
    'are replaced when a request blocks them for ever',
  '`a worker has ended`': 'close the connections of a worker that dies, so that no client waits',
  'Dead workers are not replaced: the primary is stopped or was killed':
    'serve while the primary is stopped, and after it continues',
  'A worker is stopped': 'answer all clients while one of them is stopped',
  'Writes get 503, `SQLITE_FULL`: the disk is full':
    'refuses writes while the disk is full, and accepts them again without a restart',
  'Creations get 503, other writes succeed: the file has no space to grow':
    'are refused if they create something; changes and removals have reserves, and removals make room for other writes',
  'The same, after large transactions on a small disk':
    'keeps space to copy the WAL, so that removals succeed and make room for other writes',
  '`refused`, `"problem":"overloaded"`: clients hold back the end of large bodies':
    'are refused, the largest first, when together they exceed the memory limit; small ones get through',
  'The same: compressed bodies are too large together after decompression':
    'count with their size after decoding',
  'The same: more bodies than the service can read in time':
    'refuses bodies that would wait too long for their turn, and accepts them again afterwards',
  'The same, for lists: responses hold half of their memory limit':
    'refuses lists while unread answers take half of the allowed memory',
  'The same, for all requests: responses hold all of their memory limit':
    'refuses all but the probes while unread answers take all of the allowed memory',
  'One line `refused` with a `count`, every 10 s': 'is logged in one line without a stack when load is shed',
  '`failed`, `"problem":"unavailable"`, `reasons`: the keys cannot be read':
    'is logged in one line with its reason, without a stack, when keys are out of reach',
  'The same: the store cannot be reached':
    'is logged in one line with its reason, without a stack, when the store is out of reach',
  'Credentials get 503; the log names the file of API keys: it was deleted, emptied, damaged or made readable by others':
    'end when their file is missing for the configured time: this is logged, and requests get 503 until the file is back',
  'The same for the file of `USERS_JWT_KEY_SET_FILE`':
    'that is missing for too long makes the service unavailable, also for forged tokens, until it is back',
  'Searches get 503 for a moment: a search thread has died':
    'is replaced when it dies, and its queries are unavailable',
  '500, and `failed` with `err.stack`: a defect of the service':
    'is logged with its stack, once for each different bug',
  "500 for one user, and in lists; `What is stored of <id> can't be read`: another program has changed the document":
    'one with a number for emails causes a 500 with a reason in XML, alone and in a list, and the log names its id',
  'A long list ends with a reset; the same line':
    'a long list breaks off before one who cannot be printed, and the log names it',
  'The same, or 503, for members of a group: it was deleted or got other members while the list was read; `export` says so and writes no file':
    'ends with an error in JSON when the group is deleted meanwhile: /users?group=…&total=true',
  '400 `query-too-costly`: a search or a sort order would scan too many resources':
    'is refused with the reason if it costs too much',
  '400 `invalid-parameter`: the query has more than 250 parameters':
    'is not read among more than 250 parameters, even by routes that ignore unknown ones',
  '401 that says so: the client has an API key, but no file of keys is configured':
    'tells a client with an API key that the service accepts none, without repeating the key',
  '401 that says so: an API key over Bearer when only tokens are accepted, or a token when only API keys are':
    'are refused, naming the scheme that is not configured, or as malformed or wrong',
  '401 for some tokens, and one line that names keys of the issuer: they are not trustworthy':
    'with untrustworthy keys is used without them, which is logged once, and every forged token is refused',
  '401 for all tokens, and `has no key to check tokens with`: the issuer publishes no usable key':
    'without a usable key is reported, and every token is refused',
  '413: a long body in chunks of one byte':
    'of one byte each is refused when it is long (413), and its connection is closed',
  '501: an unknown transfer coding':
    'that the service does not support are refused (501 not-implemented), nothing is created, and nothing more is read of the connection',
  '`cut: too many requests waited for their turn`: a client sends thousands of requests at once on one connection':
    'of requests on one connection closes it before most of them are parsed',
  'The same, with a count: over 10,000 pipelined requests wait':
    'beyond the limit for all connections together close the connection that sent the last one',
  '`more connections than connections.max`: open files do not allow more':
    'leave each process serving, with as many descriptors as before, when they are closed (workers: 2)',
  'The same: clients fill `connections.max` and send nothing, or never end a head':
    'that send nothing make room for new ones, and keep out no client, new or old',
  '`"whole":false`: clients ask for many pages and read nothing':
    '(30 pages asked for at once on each of 30 connections) take no more than 300 MiB, and other clients are served',
  'The same, without `status`: the client disconnected before its response': 'has no status in the log',
  '`connections.max is lowered…`, with both numbers':
    'are prevented by a lower connections.max, which the log reports at the start',
  '`The log cannot be written (…)` on standard error: the reader of the log has stopped (a pipe)':
    'delays no request and no shutdown when it is a pipe (workers: 2)',
  'The same (a socket, the journal)': 'delays no request and no shutdown when it is a socket (workers: 2)',
  '`lines of the log were dropped…`, with `dropped`: the log is read again':
    'has complete lines in order when it is read again, and the number of dropped lines',
  'A code such as `ENOSPC` on standard error: the disk of the log is full':
    'does not keep the service from starting and responding',
  'The same line as when a reader starts again: the disk of the log has space':
    'gets complete lines and the number of dropped lines when the disk has space again',
  '`Node warns`': 'delays no request when Node prints a warning, which goes to the log',
  '`is new: there are no users yet`, although there should be users: the disk is not mounted':
    'says that a file is new, as when a disk is not mounted, and nothing about a file that was there',
  '`The log beside the SQLite file has grown to …`: another program reads one state of the file for too long':
    "is reported, but not at each write, when another program's read keeps it growing, and is truncated afterwards",
  'The WAL grows on a full disk: there is no space to copy it into the file':
    'continues while the WAL cannot be copied into the file',
  '`values of an erased user are still in the file or its log…`: another program reads one state of the file for too long':
    'has an unknown outcome when another program reads one state of the file for too long, and continues until it is complete',
  '`the clock is … ahead of the last change…`: the clock was set ahead, or nothing was written for a day before the start':
    'loses no entry when the clock leaps a year ahead and back, and says so once',
  'The progress of a rebuild of the indexes, again after a kill':
    'is rebuilt from where a rebuild was interrupted, by several processes at once',
  '`The index of … is being built`, after a change of `USERS_ATTRIBUTES_FILE`':
    'are refused until their index is whole, and found then, while other lists are answered',
  '503 or 504 for writes: MongoDB is away, or has no majority':
    'gives up a write that waits too long for earlier ones, and does not do it',
  '503, or 504 `outcome-unknown` for a write, for a moment: MongoDB ends or resets connections, as when a primary is killed':
    'answers every request, however often the server ends all connections meanwhile',
  '`does not let the account end transactions`, and all writes wait after a process has died':
    'can be changed after a process died while changing them; transactions of other applications continue',
  '503 for all writes, `A newer release has changed the database (layout …, this one knows …)`, `is only read from now on`':
    'refuses every write of running processes once a newer release has raised it, and changes nothing; reads go on',
  'The same, and `is not ready`: a process of the earlier release was started':
    'keeps a process of this release from starting when a newer one has raised it, and `check` says so; nothing is created',
  '`the index … is gone`':
    'the unique index of names, a probe notices, and the store creates it again: one of six creations of a name succeeds',
  'The same, and two ids: two users got the same name meanwhile':
    'the unique index of names, the store notices without probes; with two users of one name it stays unready and names them',
  '`the collection … is gone`':
    'the collection, the store stays unready instead of serving an empty directory, until the collection is restored',
  'Exit code 64: an unknown command or option, such as `--port 8080`':
    "refuses an option without a command, as in '--port 8080', in one line that says what is valid",
  '`api-key`: the name of a new key does not fit in a Bearer field (a leading space)':
    'are created under any name that Bearer can carry, with a warning about names that some clients cannot send',
  '`api-key`: the expiry of a new key is in the past':
    "refuses an expiry in the past, as in 'api-key --id legacy --scope users:read --expires 2020-01-01T00:00:00Z', in one line that says what is valid",
  '`backup`: `is there already`':
    'made under one name by several backups at once are one complete copy; the other backups fail and say that it exists',
  '`restore`: `has it open`, or what is wrong with the backup':
    'is refused when it is damaged, from another program or in use, and while the service runs; nothing changes',
  '`restore`: `Nothing restored: …`, at its last step':
    'that cannot be moved into place leave the existing file with its WAL and all users',
  '`copy`: the target has users':
    'names users that it leaves unchanged and exits with 2, and refuses a target with users unless --again is given',
  '`The store is incomplete`: the service or a command meets a store that `copy` or an import of changes fills':
    'goes on where it was interrupted, makes no entries meanwhile, and is not opened for others',
  '`copy`: two ids; a name is taken at the target':
    'names both users when a name is taken, and copies the others',
  '`export`: `No file: …: ENOSPC`': 'leaves no file on a full disk',
  '`export`: the same for standard output': 'reports a full disk behind standard output',
  '`export`: `No file: …: write EPIPE`: the reader has gone': 'reports in one line that its reader has gone',
  '`export`: `stopped by …`, a signal': 'leaves no file when a signal ends it',
  '`export`: ids of users that it cannot print':
    'leaves out users that it cannot print, names them and exits with 2',
  '`import`: `stopped by …`, a signal':
    'stops on a signal after the current batch, and counts the imported users',
  '`import`: `Not finished: …`: the store fails':
    'has counted the durable writes when a write of a batch fails, and reports the reason',
  '`import`: the file that has no space':
    'names the store when its disk is full, also in a dry run, and keeps what it imported',
  '`import`: `waiting for others who write … users`':
    'continues with other users while some are being written, and retries these beside them',
  '`import`: places of memberships whose user or group was deleted meanwhile':
    'with a row whose user is deleted during the import are imported without this row',
  '`import`: the place at which the file is truncated':
    'makes the command exit with 1, and the imported users are counted and stay',
  '`import`: one line with a place: a gzip file unpacks to half a gigabyte without the end of a row':
    'as a gzip bomb of half a gigabyte, is refused before it is unpacked',
  '`import`: the number of users on standard error: standard output is full':
    'goes to standard error, and the command exits with 1, when standard output is full, in words',
  '`import`: `…: it belongs to the store`: `--rejects` names a file of the store':
    'never overwrites the store or the files beside it',
  '`import`: no space for the file of rejects':
    'counts the imported users when the disk of the file of rejects is full',
  '`users_worker_restarts_total` rises: a worker has died':
    'do not decrease when a worker dies, and count its replacement',
  'Values stand still: a worker does not respond':
    "are served with a worker's last values when it does not answer",
  '421 for `/metrics`: a web page, or a client, asks by a host name':
    'cannot be read on loopback by a web page under another host name',
  '`traces are not sent`, once a minute: the receiver is unreachable':
    'do no harm when no receiver accepts them: the log has one line, and the service ends in time',
  '`traces are not sent`, with a reason: OpenTelemetry’s variables are invalid':
    'do not prevent the start, however wrong their variables are',
  'A body with too many entries, members, values or levels, or too long a text':
    'is accepted or refused by its schema, for any large part, by POST',
  '256 KiB of content that is slow to read (references, line ends, comments)':
    'full of parts that are slow to read is accepted or refused',
  'Thirty of the slowest bodies at once': 'with thirty slow bodies at once (gzip) leaves others their turns',
  'One client sends endless Bulks, slow bodies, scans or lists':
    'with four Bulks of many changes, one of them compressed, leaves others their turns',
  'Clients hold back the end of compressed bodies':
    'in a content coding take no more memory than uncompressed ones, however large they become',
  'Bodies in very many small pieces': 'take no more memory when they arrive in many pieces',
  'Many writes while probes arrive':
    'leave a turn to probes and reads every few milliseconds, also without reads',
  'Clients disconnect before their long lists start':
    'frees the places of clients that asked for long lists and left before the lists began',
  'Many clients send endless heads with many short fields':
    'take little memory, however many fields they have',
  'Bodies in chunks of one byte, without credentials':
    'of chunks of one byte is refused for its head, before most of the chunks are parsed',
  'Hundreds of new connections flood at once':
    'on hundreds of connections at once leaves turns to other clients’ requests',
  'A chunked body is far too large, and its client reads the response only at the end':
    'that is too large is read to its end, for a client that reads the answer only then',
  'A worker takes requests for longer than 30 s before its event loop turns (a flood on a slow machine)':
    'are not replaced while they handle one request after another, even if nothing else runs for a long time',
  'A machine with too few CPUs delays a worker for longer than that':
    'are not replaced while a busy machine leaves them little CPU',
  'Standard error is blocked': 'delays no request when it is standard error',
  'Both outputs are closed': 'may be closed by its reader, as standard error may: the service continues',
  'The terminal is closed (SIGHUP)':
    'answers the request in flight and exits with 0, also by a terminal that is closed',
  'SIGUSR1, SIGUSR2': 'is not caused by SIGUSR1 or SIGUSR2, and no debugger opens',
  'A key is revoked': 'are listed and revoked while the service runs; the next request is refused',
  'Another program copies the WAL into the file, and the service is killed':
    'recovers as usual after another program read the file, checkpointed its WAL, or opened it while the service ran',
  'The WAL fills a small disk, with little in the file':
    'accepts all writes, since it copies the WAL into the file and restarts it',
  'A restart with a WAL that fills the disk':
    'accepts writes after a kill and a restart with a WAL that fills the disk',
  'Changes that need space and changes that need none arrive together on a full disk':
    'are refused alone when they are committed together with writes that need no space',
  '`key_rules` was emptied': 'gets its names and keys rebuilt when their rules are unknown',
  'The clock is set back':
    'by an hour, and a restart, an earlier date neither gives 304 nor lets a change overwrite',
  'Another program writes a document into the SQLite file that is not JSON, or has another id or version than its row':
    'lets no program put a document that is not JSON into a row of a user or group',
  'The indexes are rebuilt with a damaged document in the store':
    'finds all other users when keys are rebuilt, and the damaged one by its id',
  'The reader of a command’s output disconnects':
    'prints no error when the reader of its output goes away: api-key list',
  'An export is killed': 'removes the partial file of a killed export',
  'An import is killed': 'and repeated, ends with the same directory as an import without kills',
  'Rows near the maximum size in an import':
    'of rows just below the limit keeps only a few of them in memory',
  'Terminal control characters in the names of members':
    'prints no control characters from the name of a user or file',
  'A client of the metrics sends slowly or does not read':
    'are not delayed by clients that send slowly or do not read',
  'The trace receiver never responds': 'do no harm when their receiver never answers',
};
