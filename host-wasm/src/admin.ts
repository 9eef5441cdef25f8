// The admin interface's front (C11): the token is checked before any object is asked.

import type { Answer } from './core';
import type { Edge, Env } from './edge';
import { bodyOf, boundedBody, headOf, toResponse } from './http';

export class Admin {
  readonly #edge: Edge;

  constructor(edge: Edge) {
    this.#edge = edge;
  }

  /** As in Api. */
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const response = this.#respond(request, env);
    ctx.waitUntil(response);
    return response;
  }

  // Exceptions stop here.
  async #respond(request: Request, env: Env): Promise<Response> {
    try {
      return toResponse(await this.#answer(request, env), request);
    } catch (fault) {
      this.#edge.ports.log(String(fault instanceof Error ? fault.stack : fault));
      return toResponse(this.#edge.instances.unavailable, request);
    }
  }

  async #answer(request: Request, env: Env): Promise<Answer> {
    const head = headOf(request);
    const located = await this.#edge.instances.run({}, (core) => core.locateAdmin(head));
    if ('answer' in located) return located.answer;
    const whole = { ...head, body: await boundedBody(bodyOf(request)) };
    if (located.account !== '') return this.#edge.homeOf(env, located.account).handleAdmin(whole);
    return this.#edge.directoryOf(env).handleAdmin(whole);
  }
}
