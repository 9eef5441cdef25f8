// Collects the log of workerd processes. Forwards it to the log of the test, and checks that it has no platform warning, no
// uncaught error and no key.

import { createInterface } from 'node:readline';

/** A complete API key. */
export const API_KEY = /tonearm_[0-9A-Za-z]{55}/;

/** Platform warnings, uncaught errors, and keys. */
const ALARMS = [
  /different request context/i,
  /on behalf of a different request/i,
  /RangeError/,
  /maximum call stack/i,
  /unhandled/i,
  /uncaught/i,
  /code had hung/i,
  /never generate a response/i,
  /exceeded its memory limit/i,
  /Illegal invocation/,
  API_KEY,
];

export class WorkerLog {
  #alarms = [];
  #awaited = [];

  /** Waits for the next line that matches the pattern. */
  next(pattern) {
    return new Promise((resolve) => this.#awaited.push({ pattern, resolve }));
  }

  /** Reads an output stream of a process. */
  follow(stream) {
    createInterface({ input: stream }).on('line', (line) => this.#take(line));
  }

  /** The option for miniflare. */
  handleRuntimeStdio = (out, error) => {
    this.follow(out);
    this.follow(error);
  };

  /** Throws if a line matches one of the alarms. */
  assertClean() {
    if (this.#alarms.length === 0) return;
    throw new Error(`${this.#alarms.length} log lines are alarming:\n${this.#alarms.slice(0, 10).join('\n')}`);
  }

  #take(line) {
    console.error(line);
    if (ALARMS.some((alarm) => alarm.test(line))) this.#alarms.push(line);
    this.#awaited = this.#awaited.filter(({ pattern, resolve }) => !pattern.test(line) || resolve());
  }
}
