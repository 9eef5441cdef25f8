// tonearm-server beside nginx, as ratios, with wrk: our default search page beside a file with the same body, our /healthz
// beside `return 200`. The measurements alternate in short rounds, so that other load on the machine affects all of them.
// Usage: node tests/bench/http/beside_nginx.mjs [--bin DIR] [--before DIR] [--seconds N] [--rounds N] [--connections N]
//            [--threads N] [--pipelined N] [--catalog FILE] [--nginx FILE]
//   --bin DIR         the programs                                              (default: build/native/bin)
//   --before DIR      also: the programs of an earlier build, measured alternately
//   --seconds N       of one measurement                                        (default: 3)
//   --rounds N        the result is the median ratio                            (default: 6)
//   --connections N   kept open by wrk                                          (default: 16)
//   --threads N       of the server, and workers of nginx                       (default: one per processor)
//   --pipelined N     requests that a client sends at a time                    (default: 1)
//   --catalog FILE    a snapshot                                                (default: made of tests/cases/catalog.jsonl)

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { availableParallelism, tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const { values: options } = parseArgs({
  options: {
    bin: { type: 'string', default: join(root, 'build/native/bin') },
    before: { type: 'string' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '16' },
    threads: { type: 'string', default: `${availableParallelism()}` },
    pipelined: { type: 'string', default: '1' },
    catalog: { type: 'string' },
    nginx: { type: 'string', default: '/usr/sbin/nginx' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'tonearm-beside-nginx-'));
const at = (name) => join(folder, name);
const TOKEN = 'the-token-of-the-benchmark';
const TICKS_PER_SECOND = 100;
const GOALS = { search: { gate: 0.6, goal: 0.8 }, health: { gate: 0.8, goal: 1 } };

const children = [];

function launch(program, words, stdio) {
  const child = spawn(program, words, { stdio });
  children.push(child);
  return child;
}

function run(program, words) {
  const { status, error, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}: ${error ?? stderr}`);
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function startServer(name, bin) {
  const child = launch(join(bin, 'tonearm-server'), ['--catalog', options.catalog ?? at('catalog.sqlite'), '--state', at(`${name}.sqlite`),
    '--listen', '127.0.0.1:0', '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token'), '--threads', options.threads],
  ['ignore', 'pipe', 'pipe']);
  let log = '';
  child.stderr.on('data', (data) => { log += data; });
  child.on('exit', () => { if (log.includes('terminate')) console.error(log); });
  const [first] = await once(child.stdout, 'data');
  const [, url, adminUrl] = /^listening on (\S+) admin (\S+)\n/.exec(`${first}`) ?? [];
  if (!url) throw new Error(`${name} says ${first} ${log}`);
  return { name, child, url, adminUrl };
}

async function adminPost(server, target, body) {
  const response = await fetch(`${server.adminUrl}${target}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`POST ${target}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function newKey(server) {
  const { account } = await adminPost(server, '/admin/accounts', { plan: 'unlimited' });
  return (await adminPost(server, `/admin/accounts/${account}/keys`, {})).key;
}

/** The configuration of the nginx packages, but without a log and without a limit of requests per connection. */
async function startNginx(body) {
  const port = await freePort();
  mkdirSync(at('html'));
  writeFileSync(at('html/search.json'), body);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${at(name)};`).join(' ');
  // Otherwise root's workers cannot enter the folder.
  const user = userInfo().uid === 0 ? 'user root;' : '';
  writeFileSync(at('nginx.conf'), `
${user} worker_processes ${options.threads}; daemon off; pid ${at('nginx.pid')}; error_log ${at('nginx.log')};
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; default_type application/json; ${paths}
  server {
    listen 127.0.0.1:${port}; root ${at('html')};
    location = /healthz { return 200 '{"status":"ok"}'; }
  }
}
`);
  const child = launch(options.nginx, ['-p', folder, '-c', at('nginx.conf'), '-e', at('nginx.log')], 'inherit');
  const url = `http://127.0.0.1:${port}`;
  const TRIES = 100;
  for (let i = 0; i < TRIES; i += 1) {
    try {
      await fetch(`${url}/healthz`);
      return { name: 'nginx', child, url };
    } catch {
      await new Promise((done) => { setTimeout(done, 50); });
    }
  }
  throw new Error(`nginx does not answer: ${readFileSync(at('nginx.log'), 'utf8')}`);
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Returns the processor time of a process and its children so far, in seconds. */
function cpuSeconds({ child }) {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ').map(Number).concat(Number(pid));
    } catch {
      return []; // the process has ended
    }
  });
  return children.filter((fields) => fields.at(-1) === child.pid || fields[1] === child.pid)
    .reduce((sum, fields) => sum + fields[11] + fields[12], 0) / TICKS_PER_SECOND;
}

/** `pause`: the mean of the milliseconds before each request, or 0. */
function writeScript({ path, key }, pause) {
  const header = key ? `["Authorization"] = "Bearer ${key}"` : '';
  const low = Math.floor(pause);
  const pausing = pause === 0 ? '' : `
function delay() return math.random() < ${pause - low} and ${low + 1} or ${low} end`;
  writeFileSync(at('script.lua'), `
local one
function init() one = wrk.format("GET", "${path}", {${header}}) one = one:rep(${pause === 0 ? options.pipelined : 1}) end
function request() return one end${pausing}
`);
}

const MS = { us: 0.001, ms: 1, s: 1000 };

/** Returns requests per second, processor time per request, and the 99th percentile of the latency. */
async function load(server, scenario, pause = 0) {
  writeScript(scenario, pause);
  const before = cpuSeconds(server);
  const child = spawn('wrk', ['-t1', `-c${options.connections}`, `-d${options.seconds}s`, '--latency', '-s', at('script.lua'), server.url]);
  let out = '';
  child.stdout.on('data', (data) => { out += data; });
  child.stderr.on('data', (data) => { out += data; });
  const [status] = await once(child, 'exit');
  const bad = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(out);
  if (status !== 0 || bad) throw new Error(`wrk on ${server.name}${scenario.path}: ${out}`);
  const [, p99, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(out);
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(out)[1]),
    cpu: (cpuSeconds(server) - before) / Number(/(\d+) requests in/.exec(out)[1]),
    p99: Number(p99) * MS[unit],
  };
}

const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};
const medianOf = (rounds, what) => median(rounds.map(what));
const micro = (seconds) => `${(seconds * 1e6).toFixed(1)} us`;
const line = (cells) => console.log(`| ${cells.join(' | ')} |`);

function head(cells) {
  line(cells);
  line(cells.map(() => '---'));
}

/** Returns one row per Tonearm server. Each of `rounds` has a measurement of every server, nginx first. */
function report(name, { gate, goal }, servers, rounds) {
  servers.slice(1).forEach((server, i) => {
    const share = medianOf(rounds, (round) => round[i + 1].rate / round[0].rate);
    const cpu = medianOf(rounds, (round) => round[0].cpu / round[i + 1].cpu);
    let met = share >= gate ? 'gate' : 'no';
    if (share >= goal) met = 'goal';
    line([`${name}, ${server.name}`, Math.round(medianOf(rounds, (round) => round[i + 1].rate)),
      Math.round(medianOf(rounds, (round) => round[0].rate)), share.toFixed(2), gate, goal, met,
      micro(medianOf(rounds, (round) => round[i + 1].cpu)), micro(medianOf(rounds, (round) => round[0].cpu)), cpu.toFixed(2)]);
  });
}

async function inTurns(servers, scenarioOf, pause) {
  const rounds = [];
  for (let i = 0; i < Number(options.rounds); i += 1) {
    const round = [];
    for (const server of servers) round.push(await load(server, scenarioOf(server), pause));
    rounds.push(round);
  }
  return rounds;
}

async function main() {
  writeFileSync(at('token'), `${TOKEN}\n`);
  if (!options.catalog) {
    run(join(options.bin, 'tonearm-catalog'), ['build', '--input', join(root, 'tests/cases/catalog.jsonl'),
      '--output', at('catalog.sqlite'), '--allow-share-alike']);
  }
  const servers = [await startServer('now', options.bin)];
  if (options.before) servers.push(await startServer('before', options.before));
  const keys = new Map();
  for (const server of servers) keys.set(server.name, await newKey(server));
  const page = await fetch(`${servers[0].url}/v1/search`, { headers: { Authorization: `Bearer ${keys.get('now')}`, 'Accept-Encoding': 'identity' } });
  const body = Buffer.from(await page.arrayBuffer());
  if (page.status !== 200) throw new Error(`/v1/search: ${page.status} ${body}`);
  const all = [await startNginx(body), ...servers];
  const search = ({ name }) => (name === 'nginx' ? { path: '/search.json' } : { path: '/v1/search', key: keys.get(name) });
  const health = () => ({ path: '/healthz' });

  console.log(`${options.threads} threads, ${options.connections} connections, ${options.pipelined} requests at a time, ${body.length} bytes\n`);
  head(['requests, server', 'a second', 'nginx', 'share', 'gate', 'goal', 'met', 'CPU each', 'CPU each, nginx', 'nginx / it, CPU']);
  const searched = await inTurns(all, search);
  report('search page', GOALS.search, all, searched);
  report('/healthz', GOALS.health, all, await inTurns(all, health));

  const half = medianOf(searched, (round) => round.at(-1).rate) / 2;
  const paced = await inTurns(all, search, (1000 * Number(options.connections)) / half);
  console.log(`\nSearch page at half load: ${Math.round(half)} a second wanted\n`);
  head(['server', 'a second', 'p99', 'CPU each']);
  all.forEach((server, i) => line([server.name, Math.round(medianOf(paced, (round) => round[i].rate)),
    `${medianOf(paced, (round) => round[i].p99).toFixed(2)} ms`, micro(medianOf(paced, (round) => round[i].cpu))]));
}

try {
  await main();
} finally {
  for (const child of children) await stop(child);
  rmSync(folder, { recursive: true, force: true });
}
