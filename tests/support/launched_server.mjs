// Launches a server for a test and tracks its addresses, log and end.

import { spawn } from 'node:child_process';
import http from 'node:http';

const running = new Set();

/** A running server: `child`, `url`, `adminUrl`, `log` (what it wrote to stderr so far), `ended` (its status or signal). */
export class LaunchedServer {
  /** Keeps connections open until the server is stopped. */
  agent = new http.Agent({ keepAlive: true });

  /**
   * Resolves when the server has printed its addresses and has logged everything before that: stdout and stderr are
   * separate pipes without a common order. With `--log-file` the server logs nothing here. Rejects if the server ends.
   */
  static async launch(command, words, { env = {} } = {}) {
    const server = new this();
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    running.add(server);
    Object.assign(server, { child, log: '', waiting: [] });
    // `close` instead of `exit`: only then is the log complete.
    server.ended = new Promise((done) => {
      child.on('close', (status, signal) => {
        running.delete(server);
        done(status ?? signal);
        server.wake();
      });
    });
    child.stderr.on('data', (data) => {
      server.log += data;
      server.wake();
    });
    let out = '';
    child.stdout.on('data', (data) => {
      out += data;
      server.wake();
    });
    await server.until(() => out.includes('\n'), 'the line with its addresses');
    [, server.url, server.adminUrl] = /^listening on (http\S+)(?: admin (http\S+))?\n$/.exec(out);
    if (!words.includes('--log-file')) await server.logged(' info listening on ');
    return server;
  }

  /** Kills all servers that are still running. */
  static async endAll() {
    await Promise.all([...running].map((server) => server.stop('SIGKILL')));
  }

  get pid() { return this.child.pid; }

  /** Waits until the log contains the text `times` times. Rejects if the server ends first. */
  async logged(text, times = 1) {
    await this.until(() => this.log.split(text).length > times, text);
  }

  async stop(signal = 'SIGTERM') {
    this.agent.destroy();
    this.child.kill(signal);
    return this.ended;
  }

  async until(condition, what) {
    while (!condition()) {
      if (!running.has(this)) throw new Error(`the server ended before ${what}: ${this.log}`);
      await new Promise((wake) => { this.waiting.push(wake); });
    }
  }

  wake() {
    for (const wake of this.waiting.splice(0)) wake();
  }
}
