/** The proxies' configurations, with the lines that docs/caching.md tells. */
import { join } from 'node:path';
import type { Place, Setup } from '../support/caches.ts';

const root = process.getuid?.() === 0;

/**
 * Squid refuses to serve as root and takes its own user then. Requests with conditions go past what it keeps: when the
 * service answers 304 to a client's tag, Squid 5 takes that for news of its own copy, and gives the old body under the new tag.
 */
const squid: Setup = {
  program: 'squid',
  conf: ({ folder, port, origin }) => `
http_port 127.0.0.1:${port} accel defaultsite=users.example no-vhost
cache_peer 127.0.0.1 parent ${origin} 0 no-query no-digest originserver login=PASSTHRU
http_access allow all
never_direct allow all
acl tags req_header If-None-Match .
acl dates req_header If-Modified-Since .
cache deny tags
cache deny dates

visible_hostname users.example
cache_mem 16 MB
access_log none
cache_log ${folder}/cache.log
pid_filename none
pinger_enable off
coredump_dir ${folder}
shutdown_lifetime 0 seconds
`,
  args: ({ folder }) => ['-N', '-d1', '-f', join(folder, 'conf')],
  ready: /Accepting reverse-proxy HTTP Socket connections/,
};

const nginxConf = ({ folder }: Place, http: string): string => `
${root ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log stderr notice;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${http}
}
`;

export const nginx = (http: (place: Place) => string): Setup => ({
  program: 'nginx',
  conf: (place) => nginxConf(place, http(place)),
  args: ({ folder }) => ['-p', folder, '-e', 'stderr', '-c', join(folder, 'conf')],
  ready: /start worker process \d/,
});

/**
 * nginx never keeps what says `no-cache`, and has no way to keep and ask each time. So it is told twice: a server behind
 * marks what may be kept as expired long ago, one in front keeps that and thus asks about it every time.
 */
const keepingNginx = nginx(
  ({ folder, port, origin }) => `
  proxy_cache_path ${folder}/cache keys_zone=users:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://unix:${folder}/behind;
      proxy_set_header Host $host;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_cache users;
      proxy_cache_revalidate on;
      proxy_ignore_headers Cache-Control Expires;
    }
  }
  map $upstream_http_cache_control $keep {
    "~^public, no-cache" "@1";
    default "0";
  }
  server {
    listen unix:${folder}/behind;
    location / {
      proxy_pass http://127.0.0.1:${origin};
      proxy_set_header Host $host;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      add_header X-Accel-Expires $keep always;
    }
  }`,
);

/** One location that passes everything on, with additional `lines`. */
const passingNginx = (lines: string, http = ''): Setup =>
  nginx(
    ({ folder, port, origin }) => `
  proxy_cache_path ${folder}/cache keys_zone=users:1m;
  ${http}
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${origin};
      ${lines}
    }
  }`,
  );

const gzip = 'gzip on; gzip_min_length 1; gzip_types application/json application/xml;';

/**
 * Varnish revalidates only what has had some time to live, however short. Those who wait for another's answer would be given it
 * without being asked for: nobody waits (`hash_ignore_busy`), and what is found all the same is passed on (`vcl_hit`).
 */
const varnish: Setup = {
  program: 'varnishd',
  conf: ({ origin }) => `
vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${origin}"; }
sub vcl_recv {
  if (req.method != "GET" && req.method != "HEAD") { return (pass); }
  set req.hash_ignore_busy = true;
  return (hash);
}
sub vcl_hit { return (pass); }
sub vcl_backend_response {
  set beresp.ttl = 1ms / 1000.0;
  set beresp.grace = 0s;
  set beresp.keep = 0s;
  if (beresp.status == 200 && beresp.http.Cache-Control ~ "^public, no-cache") { set beresp.keep = 1d; }
  return (deliver);
}
`,
  args: ({ folder, port }) =>
    `-F -j none -n ${folder}/work -f ${folder}/conf -a 127.0.0.1:${port} -s malloc,16M -p http_gzip_support=off`.split(
      ' ',
    ),
  ready: /Child launched OK|said Child starts/,
};

/** Every way that the tests set a proxy up, by the name they call it. */
export const setups = {
  Squid: squid,
  nginx: keepingNginx,
  Varnish: varnish,
  'nginx with proxy_cache alone': passingNginx('proxy_cache users; proxy_cache_revalidate on;'),
  'nginx with gzip on': passingNginx(gzip),
  'nginx with gzip off': passingNginx('gzip off;', gzip),
  'nginx that has the service below a path': nginx(
    ({ port, origin }) => `
  server {
    listen 127.0.0.1:${port};
    ${gzip}
    location /people/ {
      proxy_pass http://127.0.0.1:${origin}/v1/;
    }
  }`,
  ),
  'nginx that strengthens tags': passingNginx(
    `${gzip} proxy_set_header If-Match $strong_if_match;`,
    'map $http_if_match $strong_if_match { default $http_if_match; "~^W/(?<tag>.*)$" $tag; }',
  ),
} satisfies Record<string, Setup>;
