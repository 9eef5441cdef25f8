// A server as a test launches it: its addresses, its log and its end.

import { spawn } from 'node:child_process';
import http from 'node:http';

const running = new Set();

/** A running server: `child`, `url`, `adminUrl`, `log` (what it wrote to stderr so far), `ended` (its status or signal). */
export class LaunchedServer {
  /** For connections that a test keeps, until it stops the server. */
  agent = new http.Agent({ keepAlive: true });

  /**
   * Comes true when the server has said where it listens, and with it all that it logged before: the two come through
   * pipes of their own, in no order. A server whose words name a log file logs nothing here. Fails where it ends.
   */
  static async launch(command, words, { env = {} } = {}) {
    const server = new this();
    const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    running.add(server);
    Object.assign(server, { child, log: '', waiting: [] });
    // At `close`, not at `exit`: by then its log is whole.
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
    await server.until(() => out.includes('\n'), 'the line that says where it listens');
    [, server.url, server.adminUrl] = /^listening on (http\S+)(?: admin (http\S+))?\n$/.exec(out);
    if (!words.includes('--log-file')) await server.logged(' info listening on ');
    return server;
  }

  /** Ends what a test left running. */
  static async endAll() {
    await Promise.all([...running].map((server) => server.stop('SIGKILL')));
  }

  get pid() { return this.child.pid; }

  /** Waits until the log holds that text so many times; fails where the server ends before it does. */
  async logged(text, times = 1) {
    await this.until(() => this.log.split(text).length > times, text);
  }

  async stop(signal = 'SIGTERM') {
    this.agent.destroy();
    this.child.kill(signal);
    return this.ended;
  }

  async until(holds, what) {
    while (!holds()) {
      if (!running.has(this)) throw new Error(`the server ended before ${what}: ${this.log}`);
      await new Promise((wake) => { this.waiting.push(wake); });
    }
  }

  wake() {
    for (const wake of this.waiting.splice(0)) wake();
  }
}
