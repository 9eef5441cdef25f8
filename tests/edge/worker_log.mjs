// What a workerd says while a test runs. It goes on to the test's own log, and must hold neither a warning of the platform nor
// an error that was not caught, nor a key.

import { createInterface } from 'node:readline';

/** A whole one. */
export const API_KEY = /tonearm_[0-9A-Za-z]{55}/;

/** Warnings of the platform, and errors that nobody has caught. */
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

  /** Reads a stream of a process to its end. */
  follow(stream) {
    createInterface({ input: stream }).on('line', (line) => this.#take(line));
  }

  /** miniflare's option. */
  handleRuntimeStdio = (out, error) => {
    this.follow(out);
    this.follow(error);
  };

  /** Throws where a line was one of those. */
  assertClean() {
    if (this.#alarms.length === 0) return;
    throw new Error(`${this.#alarms.length} lines of the log are alarming:\n${this.#alarms.slice(0, 10).join('\n')}`);
  }

  #take(line) {
    console.error(line);
    if (ALARMS.some((alarm) => alarm.test(line))) this.#alarms.push(line);
  }
}
