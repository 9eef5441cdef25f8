// Runs `npm --prefix host-wasm run dev` as a process with its state in a folder that outlives it.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

import { root } from '../cases/build_folder.mjs';
import { WorkerLog } from './worker_log.mjs';

export const ADMIN_TOKEN = 'the admin token';

/** Creates a folder with the files and arguments for it. */
export function devFolder(snapshot) {
  const folder = mkdtempSync(join(tmpdir(), 'tonearm-dev-'));
  const names = { catalog: 'catalog.sqlite', token: 'token', persist: 'state' };
  const files = Object.fromEntries(Object.entries(names).map(([name, file]) => [name, join(folder, file)]));
  const from = ['--catalog', names.catalog, '--admin-token-file', files.token];
  const args = [...from, '--listen', '127.0.0.1:0', '--persist', names.persist];
  mkdirSync(join(folder, 'tmp'));
  writeFileSync(files.token, `${ADMIN_TOKEN}\n`);
  copyFileSync(snapshot, files.catalog);
  return { folder, ...files, args, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const SLICE_MS = 1_000;

/** The log of all processes of the test. */
export const devLog = new WorkerLog();

export class DevProcess {
  #process;
  #ended;
  #isSlow = false;
  base = '';

  /** Starts the process and waits until it listens. */
  static async start(from) {
    const dev = new DevProcess();
    // Not through npm, which exits with the signal that it forwards. The folder also receives the files that a killed process leaves.
    dev.#process = spawn(process.execPath, [join(root, 'host-wasm/dev.mjs'), ...from.args], {
      cwd: from.folder,
      env: { ...process.env, TMPDIR: join(from.folder, 'tmp') },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // its own process group, with workerd
    });
    const killAtExit = () => dev.#signalGroup('SIGKILL'); // a suspended process would ignore other signals
    process.once('exit', killAtExit);
    dev.#ended = new Promise((resolve) => dev.#process.on('exit', (status) => {
      process.off('exit', killAtExit);
      dev.#isSlow = false;
      resolve(status);
    }));
    devLog.follow(dev.#process.stderr);
    const lines = createInterface({ input: dev.#process.stdout });
    for await (const line of lines) {
      const found = /^listening on (http:\S+) admin \1$/.exec(line);
      if (!found) continue;
      dev.base = found[1];
      return dev;
    }
    throw new Error(`it exited with ${await dev.#ended} before it listened`);
  }

  /** Stops the process and returns its exit status. */
  async stop(signal = 'SIGTERM') {
    if (this.#isSlow) {
      this.#isSlow = false;
      this.#signalGroup('SIGCONT');
    }
    this.#process.kill(signal);
    return this.#ended;
  }

  /** Suspends the process that runs the server, as one that never stops. */
  suspendServer() {
    const { pid } = this.#process;
    for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)) process.kill(Number(child), 'SIGSTOP');
  }

  /** Lets the process and workerd run only for a share of each second, as on an overloaded machine. */
  async slowDown(share) {
    this.#isSlow = true;
    while (this.#isSlow) {
      this.#signalGroup('SIGSTOP');
      await setTimeout(SLICE_MS * (1 - share));
      this.#signalGroup('SIGCONT');
      await setTimeout(SLICE_MS * share);
    }
  }

  /** Kills the process and workerd with SIGKILL. */
  async kill() {
    this.#signalGroup('SIGKILL');
    await this.#ended;
  }

  #signalGroup(signal) {
    try {
      process.kill(-this.#process.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error; // already exited
    }
  }
}
