/** The test of each fault: by what stands first in its row of docs/faults.md, the title of the test. */
export const faultTests: Readonly<Record<string, string>> = {
  'One line that names `USERS_PUBLIC_URL`: the URL cannot be sent in a header field':
    'refuses a public address that no client could read, in one line that names it, and leaves no file behind',
  'One line that names `USERS_CORS_ORIGINS`: no browser sends such origins':
    'refuses origins that no browser sends, in one line that names it, and leaves no file behind',
  'One line that names `NODE_ENV`: `Production` is not `production`':
    'refuses NODE_ENV=Production, which would be development, in one line that names it, and leaves no file behind',
  'One line that names the path of the database: below `/proc`, a device, a folder or a FIFO':
    "ends at once when the database's place is below /proc, and names it",
  '`run chmod 600 on it`: others can read the file of API keys':
    'are refused at the start while others than its owner may read the file of keys',
  'The place of a key in `USERS_JWT_KEY_SET_FILE`, and what is wrong with it (short, private, exponent 1, off its curve)':
    'with an untrustworthy key is refused at the start, naming the key',
  '`better-sqlite3 does not load`: an unsupported platform, or `node_modules` copied from another one':
    'says in a line what to do when better-sqlite3 does not load, as the service, the backup and the restore do',
  '`Node … or later is required`': 'refuses to start on a Node older than package.json requires',
  'One line that names `USERS_METRICS_PORT`: the port is in use':
    'stop the start, by name, where their port is taken',
  'One line that names `USERS_METRICS_HOST` and `USERS_METRICS_PORT`: the metrics listen on the address of the service':
    'finds the metrics where the service listens, which both addresses alone would not show',
  '`(the disk is full)`': 'says that it is full, not only that something went wrong',
  '`it is damaged`, after a crash of the machine or a kill': 'does not start again on it',
  'The name of a missing table': 'is refused with the name of a missing table',
  '`has layout …, of an earlier release`':
    'is refused and left unchanged with layout 3, with the commands that move its users',
  '`its log … is gone or empty`: the WAL was removed after a kill':
    'does not start without its log, which held what was answered last',
  'The same: the WAL was emptied after a kill':
    'does not start as if no data were missing: the WAL was emptied',
  '`belongs to another state of it`: a backup was copied over the file, beside the old WAL':
    'does not play its log into a copy by SQLite’s backup of the same run',
  '`… while it was in use`: the database, its WAL or its shared memory was removed, moved, replaced, emptied or overwritten':
    'no write is answered for after the file is removed, and it ends by itself with 1 (1 of workers)',
  'The same, without writes: the file was removed':
    'it ends by itself even without writes, and refuses to start with an empty directory instead',
  'The same: the WAL was removed': 'what was answered before its log was removed is in the file',
  '`SQLITE_IOERR_FSYNC`':
    'ends by itself with 1, having answered for no write that is not there (1 of workers)',
  '`SQLITE_IOERR_WRITE`: the WAL cannot be copied into the file':
    'ends by itself with 1 when the log can’t be copied into the file, before the log has grown far',
  '`did not stop in order`: the same at shutdown':
    'does not end as if all were well when the log can’t be copied into the file at the end',
  '`IOERR` or `CORRUPT` in the log: reads fail': 'ends by itself with 1 when what is asked for can’t be read',
  '`CORRUPT` in the log: pages are damaged':
    'is unready and ends with 1 as soon as it meets the damage, and answers for no write (1 of workers)',
  'A crash truncated or damaged the WAL: nothing is seen, but the last writes can be missing':
    'gets all readable commits back with npm run restore',
  '`a worker does not answer: it is killed`: it has made no progress for 30 s (`USERS_TIMEOUTS_UNRESPONSIVE`)':
    'are replaced when one request holds them for ever',
  '`a worker has ended`': 'let no client wait for the answer of a worker that has died',
  'Dead workers are not replaced: the primary is stopped or was killed':
    'serve while the primary is stopped, and outlive that',
  'A worker is stopped': 'let no client wait for a stopped worker: the other answers',
  'Writes get 503, `SQLITE_FULL`: the disk is full':
    'refuses writes while it is full, and takes them again without a restart once it is not',
  'Creations get 503, other writes succeed: the file has no space to grow':
    'are refused if they create; changes and removals have reserves, and removals make room for others',
  'The same, after large transactions on a small disk':
    'keeps space to copy the WAL, so that removals succeed and make room for other writes',
  '`refused`, `"problem":"overloaded"`: clients hold back the end of large bodies':
    'are refused, the largest first, when together they hold more than may be; small ones get through',
  'The same: compressed bodies are too large together after decompression':
    'count what they grow to by their content coding',
  'The same: more bodies than the service can read in time':
    'refuses bodies that would wait too long for their turn, and takes them again afterwards',
  'The same, for lists: responses hold half of their memory limit':
    'refuses lists once answers hold half of the memory they may, until they are given up',
  'The same, for all requests: responses hold all of their memory limit':
    'refuses all but the probes once answers hold all of the memory they may, until they are given up',
  'One line `refused` with a `count`, every 10 s': 'is one line when load is shed, without a stack',
  '`failed`, `"problem":"unavailable"`, `reasons`: the keys cannot be read':
    'is one line with its reason, without a stack, when keys are out of reach',
  'The same: the store cannot be reached':
    'is one line with its reason, without a stack, when the store is out of reach',
  'Credentials get 503; the log names the file of API keys: it was deleted, emptied, damaged or made readable by others':
    'end when their file is deleted: after the configured time, logged even without requests, with 503 until the file is back',
  'The same for the file of `USERS_JWT_KEY_SET_FILE`':
    'that is gone for too long makes the service unavailable, to forged tokens too, until it is back',
  'Searches get 503 for a moment: a search thread has died':
    'is replaced when it dies, and its queries are unavailable',
  '500, and `failed` with `err.stack`: a defect of the service':
    'is one line with its stack when it is one fault of ours, and one for each when they differ',
  "500 for one user, and in lists; `What is stored of <id> can't be read`: another program has changed the document":
    'one with a number for emails is a clear 500 in XML, by itself and in a list, named in the log by id',
  'A long list ends with a reset; the same line':
    'a long list breaks off before one who cannot be printed, and the log names it',
  'The same, or 503, for members of a group: it was deleted or got other members while the list was read; `export` says so and writes no file':
    'is broken off in JSON when the group is deleted on the way, as /users?group=…&total=true',
  '400 `query-too-costly`: a search or a sort order would scan too many users':
    'that costs more than it may is refused in words',
  '401 that says so: the client has an API key, but no file of keys is configured':
    'tells a client with an API key that the service accepts none, without repeating the key',
  '401 that says so: an API key over Bearer when only tokens are accepted, or a token when only API keys are':
    'are refused, naming the scheme that is not configured, or as malformed or wrong',
  '401 for some tokens, and one line that names keys of the issuer: they are not trustworthy':
    'with untrustworthy keys is used without them, which is logged once, and every forged token is refused',
  '401 for all tokens, and `has no key to check tokens with`: the issuer publishes no usable key':
    'without a usable key is reported, as every token is refused',
  '413: a long body in chunks of one byte':
    'of a byte each is refused when it is long (413), and its connection closed',
  '501: an unknown transfer coding':
    'that the service does not support are refused (501 not-implemented), nothing is created, and nothing more is read of the connection',
  '`cut: too many requests waited for their turn`: a client sends thousands of requests at once on one connection':
    'of requests on one connection ends it, and nearly all of the requests are never parsed',
  'The same, with a count: over 10,000 pipelined requests wait':
    'whose number is beyond all measure, over all connections, lose the connections that add to them',
  '`more connections than connections.max`: open files do not allow more':
    'leave nothing behind when they are closed, with 2 of workers: each process serves, with as many descriptors as before',
  'The same: clients fill `connections.max` and send nothing, or never end a head':
    'that send nothing give way to new ones, and keep out neither these nor a client that was there before',
  '`"whole":false`: clients ask for many pages and read nothing':
    '(30 pages asked for at once on each of 30 connections) take no more than 300 MiB, and others are answered',
  'The same, without `status`: the client disconnected before its response':
    'has no status in the log, since it got none',
  '`connections.max is lowered…`, with both numbers':
    'are fewer than connections.max says, and that is said at the start',
  '`The log is not taken (…)` on standard error: the reader of the log has stopped (a pipe)':
    'delays no request when it is a pipe, with 2 of workers: SIGTERM ends the service',
  'The same (a socket, the journal)':
    'delays no request when it is a socket, with 2 of workers: SIGTERM ends the service',
  '`lines of the log were dropped…`, with `dropped`: the log is read again':
    'gets whole lines when it is read again, in their order, and how many were dropped',
  'A code such as `ENOSPC` on standard error: the disk of the log is full':
    'keeps the service neither from starting nor from answering',
  'The same line as when a reader starts again: the disk of the log has space':
    'has complete lines and the number of dropped ones as soon as the disk has space again',
  '`Node warns`': 'delays no request when Node itself warns: the warning is a line of the log',
  '`was not there, or empty: it begins with no users`, although there should be users: the disk is not mounted':
    'says that the file is new, as when a disk is not mounted, and only then',
  '`The log beside the SQLite file has grown to …`: another program reads one state of the file for too long':
    'is reported, but not at each write, when a read of another program keeps it growing, and is truncated afterwards',
  'The WAL grows on a full disk: there is no space to copy it into the file':
    'goes on while the log can’t be copied into a file that has no room to grow',
  '`values of an erased user are still in the file or its log…`: another program reads one state of the file for too long':
    'has an unknown outcome when one state of the file is read for too long, and goes on until it is complete',
  '`the clock is … ahead of the last change…`: the clock was set ahead, or nothing was written for a day before the start':
    'loses no entry when the clock leaps a year ahead and back, and says so once',
  'The progress of a rebuild of the indexes, again after a kill':
    'is rebuilt from where a rebuild was interrupted, by several processes at once',
  '503 or 504 for writes: MongoDB is away, or has no majority':
    'gives up a write that waits too long for those before it, and does not do it',
  '503, or 504 `outcome-unknown` for a write, for a moment: MongoDB ends or resets connections, as when a primary is killed':
    'answers every request, however often the server ends all connections meanwhile',
  '`does not let the account end transactions`, and all writes wait after a process has died':
    'are changed although a process that died was changing them; transactions of other applications go on',
  '`the index … is gone`':
    'the index that keeps names unique, a probe notices, and it is made anew: one of six creations of a name is done',
  'The same, and two ids: two users got the same name meanwhile':
    'the index that keeps names unique, it is noticed without probes, and filled with two of one name it stays unready and names them',
  '`the collection … is gone`':
    'the collection, it stays unready, serves no empty directory, and serves again when it is restored',
  'Exit code 64: an unknown command or option, such as `--port 8080`':
    "refuses an option without a command, as in '--port 8080', in a line that says what is right",
  '`api-key`: the name of a new key does not fit in a Bearer field (a leading space)':
    'are made under any name, with a warning about names that some clients cannot send with Bearer, and not under a name that Bearer loses',
  '`api-key`: the expiry of a new key is in the past':
    "refuses an end that is past, as in 'api-key --id legacy --scope users:read --expires 2020-01-01T00:00:00Z', in a line that says what is right",
  '`backup`: `is there already`':
    'made under one name by several backups at once are one complete copy; the other backups say that it exists',
  '`restore`: `has it open`, or what is wrong with the backup':
    'is refused when it is damaged, none of ours, or in use, and while the service runs; nothing is changed',
  '`restore`: `Nothing restored: …`, at its last step':
    'that cannot be put in place leave the existing file with its WAL and all of its users',
  '`copy`: the target has users':
    'names the users that it leaves and ends with 2, and refuses a target that has users without --again',
  '`copy`: two ids; a name is taken at the target':
    'names both users where a name is taken, each time, and copies the others',
  '`export`: `No file: …: ENOSPC`': 'leaves nothing on a disk that is full',
  '`export`: the same for standard output': 'says so when what standard output goes to is full',
  '`export`: `No file: …: write EPIPE`: the reader has gone': 'says so when its reader goes away, in a line',
  '`export`: `stopped by …`, a signal': 'leaves nothing when a signal ends it',
  '`export`: ids of users that it cannot print':
    'names the users that it cannot print, leaves them out and ends with 2',
  '`import`: `stopped by …`, a signal': 'stops by a signal after what it is writing, and says what is in',
  '`import`: `Not finished: …`: the store fails':
    'has counted what is durable when a write of a batch fails, and says why',
  '`import`: the file that has no space':
    'says which store has no room when the disk is full, that of a dry run too, and keeps what is in',
  '`import`: `waiting for others who write … users`':
    'goes on with other users while these are written, and tries them again together',
  '`import`: places of memberships whose user or group was deleted meanwhile':
    'rejects a row whose user is deleted while it is imported',
  '`import`: the place at which the file is truncated':
    'ends the command with 1, says what is in, and keeps it',
  '`import`: one line with a place: a gzip file unpacks to half a gigabyte without the end of a row':
    'as a bomb of half a gigabyte in gzip, is refused before it is unpacked',
  '`import`: the number of users on standard error: standard output is full':
    'goes to standard error and ends with 1 when standard output is full, in words',
  '`import`: `…: it belongs to the store`: `--rejects` names a file of the store':
    'is never in the place of the store, nor of what lies beside it',
  '`import`: no space for the file of rejects': 'says what is in when the file of rejects has no room',
  '`users_worker_restarts_total` rises: a worker has died':
    'do not fall when a worker dies, and count the worker that replaces it',
  'Values stand still: a worker does not respond':
    'are printed though a worker doesn’t answer, with what it said last',
  '421 for `/metrics`: a web page, or a client, asks by a host name':
    'cannot be read on loopback by a web page under another host name',
  '`traces are not sent`, once a minute: the receiver is unreachable':
    'harm nothing when no receiver accepts them: one line in the log, and the service ends in time',
  '`traces are not sent`, with a reason: OpenTelemetry’s variables are invalid':
    'are no reason not to serve, however wrong their variables are',
  'A body with too many entries, members, values or levels, or too long a text':
    'is taken or refused as its schema says, whatever in it is large, by POST',
  '256 KiB of content that is slow to read (references, line ends, comments)':
    'full of what is slow to read is taken or refused',
  'Thirty of the slowest bodies at once': 'by thirty slow bodies at once (gzip) leaves others their turns',
  'One client sends endless Bulks, slow bodies, scans or lists':
    'by four Bulks of many changes, one of them coded, leaves others their turns',
  'Clients hold back the end of compressed bodies':
    'in a content coding hold no more memory than uncompressed ones, however large they become',
  'Bodies in very many small pieces': 'hold no more for coming in many pieces',
  'Many writes while probes arrive':
    'leave a turn to probes and reads every few milliseconds, also without reads',
  'Clients disconnect before their long lists start':
    'forgets clients that asked for long lists and left before the lists began',
  'Many clients send endless heads with very many short fields':
    'hold little memory, however many fields they have',
  'Bodies in chunks of one byte, without credentials':
    'of chunks of one byte is refused by its head, and nearly all of the chunks are never parsed',
  'Hundreds of new connections flood at once':
    'on hundreds of connections at once leaves requests of others their turns',
  'A chunked body is far too large, and its client reads the response only at the end':
    'that is refused as too large is taken to its end, for a client that looks for the answer only then',
  'A worker takes requests for longer than 30 s before its event loop turns (a flood on a slow machine)':
    'are not replaced while they take one request after another, however long no other code of theirs runs',
  'A machine with too few CPUs holds up a worker for longer than that':
    'are not replaced while a busy machine leaves them hardly any CPU',
  'Standard error is blocked': 'delays no request when it is standard error',
  'Both outputs are closed': 'may be closed at its other end, as standard error may: the service goes on',
  'The terminal is closed (SIGHUP)':
    'answers the request in flight and ends well too by a terminal that is closed',
  'SIGUSR1, SIGUSR2': 'is not what SIGUSR1 and SIGUSR2 do, and no debugger opens',
  'A key is revoked': 'are listed and revoked while the service runs: the next request is refused',
  'Another program copies the WAL into the file, then a kill':
    'recovers as ever after another program has read the file, copied its log into it, or looked at it while it ran',
  'The WAL fills a small disk, with little in the file':
    'takes every write, again and again, by copying the WAL and beginning it anew',
  'A restart with a WAL that fills the disk':
    'takes writes after a kill and a restart with a WAL that fills the disk',
  'Changes that need space, and others that need none, at once on a full disk':
    'are refused alone when they are committed together with writes that need no space',
  '`key_rules` was emptied': 'gets its names and keys rebuilt when their rules are unknown',
  'The clock is set back':
    'by an hour, and a restart, no date of an earlier state gives 304 or lets a change overwrite',
  'Another program writes a document into the SQLite file that is not JSON, or has another id or version than its row':
    'lets no program put a document that is not JSON into a row of a user or group',
  'Keys are made anew with a damaged document there':
    'finds all other users when keys are rebuilt, and the damaged one by its id',
  'The reader of a command’s output disconnects':
    'says nothing when the reader of what it prints goes away: api-key list',
  'An export is killed': 'removes what a killed export left behind',
  'An import is killed': 'and run again ends with the same directory as an import without kills',
  'Rows near the maximum size in an import':
    'of rows that are nearly too large holds a few of them at a time',
  'Terminal control characters in the names of members':
    'lets no name in a file move the cursor of a terminal',
  'A client of the metrics sends slowly or does not read':
    'do not wait for clients that send slowly or do not read',
  'The trace receiver never responds': 'harm nothing when their receiver never answers',
};
