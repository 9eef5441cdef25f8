// Starts the native host for `replay`.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** `paths`: from `casesOfBuild`. `end` stops the host, and throws if its exit status is not 0. */
export async function startNativeHost(paths) {
  const server = spawn(paths.server, [paths.snapshot], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();

  async function nextLine() {
    const { done, value } = await lines.next();
    if (done) throw new Error('tonearm-cases-server ended early');
    return JSON.parse(value);
  }
  async function command(value) {
    server.stdin.write(`${JSON.stringify(value)}\n`);
    await nextLine();
  }

  const { api, admin } = await nextLine();
  return {
    addresses: { api: new URL(api), admin: new URL(admin) },
    reset: (setup) => command({ reset: setup }),
    advance: (ms) => command({ advance_ms: ms }),
    async end() {
      server.stdin.end();
      const status = await ended;
      if (status !== 0) throw new Error(`tonearm-cases-server ended with ${status}`);
    },
  };
}
