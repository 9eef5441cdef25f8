// Measures requests per second of tonearm-server with wrk, beside the same HTTP server with a constant body of the same size;
// then how much longer some queries take than others.
// Usage: node tests/bench/http/measure.mjs --report FILE [--bin DIR] [--seconds N] [--rounds N] [--connections N]
//            [--accounts N]
//   --report FILE     output of `tonearm-bench --json` with the snapshot and the queries
//   --bin DIR         the programs                                      (default: build/native/bin)
//   --seconds N       of one measurement                                (default: 5)
//   --rounds N        alternating measurements; the median counts       (default: 3)
//   --connections N   kept open by wrk; pairs of queries use one        (default: 16)
//   --accounts N      also: counted calls spread over N Pro accounts    (default: 0, omitted)

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const { values: options } = parseArgs({
  options: {
    report: { type: 'string' },
    bin: { type: 'string', default: join(root, 'build/native/bin') },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
    accounts: { type: 'string', default: '0' },
  },
});
if (!options.report) throw new Error('--report FILE is missing: run tonearm-bench --json FILE first');
const report = JSON.parse(readFileSync(options.report, 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'tonearm-http-'));
const at = (name) => join(folder, name);
const TICKS_PER_SECOND = 100;

/** Starts a program that prints "listening on URL ..." first. */
async function start(name, words) {
  const child = spawn(join(options.bin, name), words, { stdio: ['pipe', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.on('data', (data) => { log += data; });
  let out = '';
  await new Promise((done, failed) => {
    child.stdout.on('data', (data) => {
      out += data;
      if (out.includes('\n')) done();
    });
    child.on('error', failed);
    child.on('exit', () => failed(new Error(`${name} ended: ${log}`)));
  });
  const [, url, , adminUrl] = /^listening on (\S+)( admin (\S+))?\n/.exec(out);
  return { child, url, adminUrl };
}

async function stop({ child }) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const startServer = (threads, answerCacheMib) =>
  start('tonearm-server', ['--catalog', report.snapshot, '--state', at('state.sqlite'), '--listen', '127.0.0.1:0',
    '--admin-listen', '127.0.0.1:0', '--admin-token-file', at('token'), '--threads', `${threads}`, '--answer-cache', `${answerCacheMib}`]);

/** Returns the processor time of a process so far, in seconds. */
function cpuSeconds({ child }) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
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

const TOKEN = 'the-token-of-the-benchmark';

async function newKey(server, plan) {
  const { account } = await adminPost(server, '/admin/accounts', { plan });
  return (await adminPost(server, `/admin/accounts/${account}/keys`, {})).key;
}

async function newKeys(server, plan, count) {
  const AT_ONCE = 32;
  const keys = [];
  while (keys.length < count) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - keys.length) }, () => newKey(server, plan));
    keys.push(...await Promise.all(batch));
  }
  return keys;
}

/** Returns wrk's script, which cycles through all paths and keys. */
function writeScript(name, { paths, keys }) {
  const list = (values) => `{${values.map((value) => JSON.stringify(value)).join(',\n')}}`;
  writeFileSync(at(`${name}.lua`), `
local paths = ${list(paths)}
local keys = ${list(keys)}
local headers = {}
for i, key in ipairs(keys) do headers[i] = {["Authorization"] = "Bearer " .. key} end
local call = 0
request = function()
  call = call + 1
  return wrk.format("GET", paths[call % #paths + 1], headers[call % #headers + 1])
end
`);
  return at(`${name}.lua`);
}

/** Measures requests per second, and processor seconds of the server per request. */
async function load(server, script, connections = options.connections) {
  const before = cpuSeconds(server);
  const child = spawn('wrk', ['-t1', `-c${connections}`, `-d${options.seconds}s`, '-s', script, server.url]);
  let out = '';
  child.stdout.on('data', (data) => { out += data; });
  child.stderr.on('data', (data) => { out += data; });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`wrk: ${out}`);
  const bad = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(out);
  if (bad) throw new Error(`${script}: ${bad[0]}`);
  const requests = Number(/(\d+) requests in/.exec(out)[1]);
  return { rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(out)[1]), cpu: (cpuSeconds(server) - before) / requests };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Returns the real response to the first path, cut or padded to the mean size of some responses. */
async function writeCanned(server, name, { paths, keys }) {
  const SAMPLES = 100;
  const step = Math.max(1, Math.floor(paths.length / SAMPLES));
  let sum = 0;
  let count = 0;
  let first;
  for (let i = 0; i < paths.length; i += step) {
    const response = await fetch(`${server.url}${paths[i]}`,
      { headers: { Authorization: `Bearer ${keys[0]}`, 'Accept-Encoding': 'identity' } });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`${paths[i]}: ${response.status} ${body}`);
    first ??= { headers: response.headers, body };
    sum += Buffer.byteLength(body);
    count += 1;
  }
  const size = Math.round(sum / count);
  const headers = {};
  for (const [key, value] of first.headers) {
    if (!['connection', 'content-length', 'date', 'keep-alive'].includes(key)) headers[key] = value;
  }
  writeFileSync(at(`${name}.json`), JSON.stringify({ headers, body: first.body.slice(0, size).padEnd(size) }));
  return { file: at(`${name}.json`), size };
}

/** Measures both servers alternately, so that other load on the machine affects both. */
async function compare(name, scenario, threads) {
  const script = writeScript(name, scenario);
  const server = await startServer(threads, scenario.answerCacheMib ?? 32);
  const canned = await writeCanned(server, name, scenario);
  const peer = await start('tonearm-canned-server', ['--answer', canned.file, '--threads', `${threads}`]);
  const ours = [];
  const theirs = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    ours.push(await load(server, script));
    theirs.push(await load(peer, script));
  }
  await stop(server);
  await stop(peer);
  const rate = median(ours.map((one) => one.rate));
  const cannedRate = median(theirs.map((one) => one.rate));
  return { rate, cannedRate, share: rate / cannedRate, cpu: median(ours.map((one) => one.cpu)), size: canned.size };
}

/** Repeats the queries with other pages, so that a response repeats only after very many others. */
function pagesOf(queries, pages) {
  const LIMITS = [15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25];
  const paths = [];
  for (let cursor = 0; cursor < pages; cursor += 1) {
    for (const limit of LIMITS) paths.push(...queries.map(({ target }) => `${target}&limit=${limit}&cursor=${cursor}`));
  }
  return paths;
}

const MIX = ['rare', 'middling', 'common', 'filters'];
const DEEP_OFFSET = 10_000;
/** Queries, others, and how many times as long as these they may take from the request to the answer. */
const PAIRS = [
  { name: 'mix with match=most; with match=all', slow: { classes: ['mix, most words'] }, fast: { classes: MIX }, goal: 5 },
  { name: 'page at offset 10,000; first page', slow: { classes: ['deep'], above: DEEP_OFFSET }, fast: { classes: ['page 1'], above: DEEP_OFFSET }, goal: 6 },
];

/** Measures both kinds of queries alternately on one connection, without a cache of answers. */
async function comparePair({ name, slow, fast, goal }, key) {
  const script = ({ classes, above = 0 }) => {
    const paths = report.queries.filter((query) => classes.includes(query.class) && query.total > above).map(({ target }) => target);
    if (paths.length === 0) throw new Error(`no query of ${classes} has more than ${above} results`);
    return writeScript(classes.join('-').replaceAll(/\W+/g, '-'), { paths, keys: [key] });
  };
  const [slowScript, fastScript] = [script(slow), script(fast)];
  const server = await startServer(1, 0);
  const slowLoads = [];
  const fastLoads = [];
  for (let round = 0; round < Number(options.rounds); round += 1) {
    slowLoads.push(await load(server, slowScript, 1));
    fastLoads.push(await load(server, fastScript, 1));
  }
  await stop(server);
  const [slowS, fastS] = [slowLoads, fastLoads].map((loads) => median(loads.map(({ rate }) => 1 / rate)));
  const [slowCpu, fastCpu] = [slowLoads, fastLoads].map((loads) => median(loads.map(({ cpu }) => cpu)));
  return [name, micro(slowS), micro(fastS), (slowS / fastS).toFixed(1), goal, slowS / fastS <= goal ? 'met' : 'no', (slowCpu / fastCpu).toFixed(1)];
}

function scenariosWith(key) {
  const mix = report.queries.filter((query) => MIX.includes(query.class) && query.total > 0);
  const words = mix.filter((query) => query.class === 'common' && /\?q=[a-z]+&match=all$/.test(query.target));
  return [
    { name: 'shuffle page', paths: ['/v1/search'], gate: 0.7, aim: 0.85 },
    { name: 'repeated query', paths: [words[0].target], gate: 0.7, aim: 0.85 },
    { name: 'uncached common word', paths: pagesOf(words, 60), answerCacheMib: 0, gate: 0.25, aim: 0.4 },
    { name: 'uncached mix', paths: pagesOf(mix, 4), answerCacheMib: 0, gate: 0.08, aim: 0.15 },
  ].map((scenario) => ({ ...scenario, keys: [key] }));
}

const CPU_GATE = 1.1;
const percent = (share) => `${Math.round(share * 100)} %`;
const micro = (seconds) => `${(seconds * 1e6).toFixed(1)} us`;

function row(scenario, one, two) {
  const { name, gate, aim } = scenario;
  let met = '-';
  if (gate) met = one.share >= aim ? 'aim' : one.share >= gate ? 'gate' : 'no';
  const more = two.cpu / one.cpu;
  return [name, Math.round(one.rate), Math.round(one.cannedRate), one.size, percent(one.share), gate ? percent(gate) : '-',
    aim ? percent(aim) : '-', met, Math.round(two.rate), micro(one.cpu), micro(two.cpu),
    `${more.toFixed(2)}x ${more <= CPU_GATE ? 'met' : 'no'}`];
}

const COLUMNS = ['requests', 'a second', 'canned', 'bytes', 'share', 'gate', 'aim', 'met', 'a second, 2 threads',
  'CPU each', 'CPU each, 2 threads', 'more CPU'];

async function main() {
  writeFileSync(at('token'), `${TOKEN}\n`);
  const server = await startServer(1, 0);
  const key = await newKey(server, 'unlimited');
  const scenarios = scenariosWith(key);
  const accounts = Number(options.accounts);
  if (accounts > 0) {
    const keys = await newKeys(server, 'pro', accounts);
    scenarios.push({ name: `shuffle page, counted, ${accounts} accounts`, paths: ['/v1/search'], keys });
  }
  await stop(server);
  const line = (cells) => console.log(`| ${cells.join(' | ')} |`);
  line(COLUMNS);
  line(COLUMNS.map(() => '---'));
  for (const scenario of scenarios) {
    const file = scenario.name.replaceAll(/\W+/g, '-');
    line(row(scenario, await compare(file, scenario, 1), await compare(file, scenario, 2)));
  }
  console.log();
  const PAIR_COLUMNS = ['queries, one connection', 'time of the first', 'of the second', 'times', 'goal', 'met', 'times the CPU'];
  line(PAIR_COLUMNS);
  line(PAIR_COLUMNS.map(() => '---'));
  for (const pair of PAIRS) line(await comparePair(pair, key));
}

try {
  if (spawnSync('wrk', ['-v']).error) throw new Error('wrk is missing: apt-get install wrk');
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
