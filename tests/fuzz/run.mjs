// Runs libFuzzer on each target, as many at a time as there are processors. Prints a line for each: inputs, reached edges, seconds, failures. A failing input is in build/fuzz/failures.
// Usage: node tests/fuzz/run.mjs [TARGET...]      TONEARM_FUZZ_SECONDS: seconds for each target (3600)

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const build = join(root, 'build/fuzz');
const seconds = Number(process.env.TONEARM_FUZZ_SECONDS ?? 3600);
const failures = join(build, 'failures');
mkdirSync(failures, { recursive: true });

const listed = spawnSync(join(build, 'bin/tonearm-fuzz-replay'), ['--list'], { encoding: 'utf8' });
if (listed.status !== 0) throw new Error(listed.stderr);
const targets = process.argv.length > 2 ? process.argv.slice(2) : listed.stdout.match(/\S+/g);
if (!targets) throw new Error('there is no fuzz target');

/** An input may not take longer, allocate more at once, or use more memory. */
const BOUNDS = ['-timeout=60', '-malloc_limit_mb=1024', '-rss_limit_mb=3072', '-max_len=16384'];

async function fuzz(target) {
  const corpus = join(build, 'corpus', target);
  mkdirSync(corpus, { recursive: true });
  const given = join(root, 'tests/fuzz/corpus', target);
  const words = [`-max_total_time=${seconds}`, ...BOUNDS, '-print_final_stats=1', `-artifact_prefix=${failures}/${target}-`, corpus, ...(existsSync(given) ? [given] : [])];
  const { error, stderr } = await new Promise((done) => {
    execFile(join(build, 'bin/tonearm-fuzz'), words, {
      encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, TONEARM_FUZZ_TARGET: target, TONEARM_FUZZ_CORPUS: corpus },
    }, (failure, stdout, text) => done({ error: failure, stderr: text }));
  });
  const inputs = /stat::number_of_executed_units: (\d+)/.exec(stderr)?.[1] ?? [...stderr.matchAll(/^#(\d+)\t/gm)].at(-1)?.[1] ?? 0;
  const edges = [...stderr.matchAll(/ cov: (\d+) /g)].at(-1)?.[1] ?? 0;
  console.log(`${target}: ${inputs} inputs, ${edges} edges, corpus of ${readdirSync(corpus).length}, ${seconds} s${error ? ', FAILED' : ''}`);
  if (!error) return true;
  console.log(stderr.slice(-6000));
  console.log(`run it again: build/fuzz/bin/tonearm-fuzz-replay --input FILE ${target}`);
  return false;
}

let failed = 0;
const waiting = [...targets];
await Promise.all(Array.from({ length: availableParallelism() }, async () => {
  while (waiting.length > 0) if (!await fuzz(waiting.shift())) failed += 1;
}));
console.log(`${targets.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
