// One core with its state in this isolate's memory, and the snapshot it serves. Makes a new core after a trap.

import { Core } from './core.mjs';
import { targetOf, toCoreRequest, toResponse } from './http.mjs';

const INTERNAL_ERROR = {
  status: 500,
  headers: [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ],
  body: new TextEncoder().encode('{"error":"internal_error","message":"A fault of the server; retry later."}'),
};

export class EdgeHost {
  #module;
  #ports;
  #start;
  #allowEvaluation;
  #core;
  #snapshot = null;

  /** `start`: what Core.start takes. */
  constructor(module, ports, start, { allowEvaluation = false } = {}) {
    this.#module = module;
    this.#ports = ports;
    this.#start = start;
    this.#allowEvaluation = allowEvaluation;
    this.#renew();
  }

  get hasSnapshot() {
    return this.#snapshot !== null;
  }

  /** Serves another snapshot from now on, its whole bytes. Throws where the core refuses it. */
  takeUp(bytes) {
    this.#core.openSnapshot(bytes, { allowEvaluation: this.#allowEvaluation });
    this.#snapshot = bytes;
  }

  /** The admin interface lies under /admin (C11), the API everywhere else. */
  async answer(request) {
    const coreRequest = await toCoreRequest(request);
    return toResponse(this.#answerOf(coreRequest, targetOf(request).startsWith('/admin/')), request);
  }

  /** Writes what was counted, and does one step of retention. */
  flush() {
    this.#core.flush();
    this.#core.retainStep();
  }

  // Exceptions stop here: the user gets to know nothing of the server's insides (C1).
  #answerOf(coreRequest, admin) {
    try {
      if (this.#core.broken) this.#renew();
      return admin ? this.#core.handleAdmin(coreRequest) : this.#core.handle(coreRequest);
    } catch (fault) {
      this.#ports.log(String(fault?.stack ?? fault));
      return INTERNAL_ERROR;
    }
  }

  #renew() {
    this.#core = new Core(this.#module, this.#ports);
    this.#core.start(this.#start);
    if (this.#snapshot !== null) this.takeUp(this.#snapshot);
  }
}
