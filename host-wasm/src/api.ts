// The API's front: whose call it is, the admission in that account's object, and the answer; of what the catalog alone
// answers from this isolate's snapshot, of all else from the object.

import { type Answer, type Head, Home, type Leave, type Recorded, Refusal } from './core';
import type { Edge, Env } from './edge';
import { FailedKeys } from './failed_keys';
import { bodyOf, boundedBody, headOf, toResponse } from './http';
import { Reports } from './reports';

type Body = ReadableStream<Uint8Array> | null;
type WaitUntil = (work: Promise<void>) => void;

export class Api {
  readonly #edge: Edge;
  readonly #reports: Reports;
  readonly #failedKeys = new FailedKeys();

  constructor(edge: Edge) {
    this.#edge = edge;
    this.#reports = new Reports(edge);
  }

  /** A call comes to its end though its client has gone: it may have an instance, which it would keep. */
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const response = this.#respond(request, env, (work) => ctx.waitUntil(work));
    ctx.waitUntil(response);
    return response;
  }

  // Exceptions stop here: the user gets to know nothing of the server's insides (C1).
  async #respond(request: Request, env: Env, waitUntil: WaitUntil): Promise<Response> {
    try {
      return toResponse(await this.#answer(request, env, waitUntil), request);
    } catch (fault) {
      this.#edge.ports.log(String(fault instanceof Error ? fault.stack : fault));
      return toResponse(this.#edge.instances.unavailable, request);
    }
  }

  async #answer(request: Request, env: Env, waitUntil: WaitUntil): Promise<Answer> {
    const { instances, ports } = this.#edge;
    const head = headOf(request);
    const located = await instances.run({}, (core) => core.locate(head));
    if ('answer' in located) return located.answer;
    if (located.account === '') {
      // The others say nothing of the catalog.
      if (head.target.startsWith('/readyz')) await this.#edge.snapshots.ready(waitUntil);
      return (await instances.run({ catalog: true }, (core) => core.answer(Home.nobody, undefined, head))).answer;
    }

    const address = request.headers.get('CF-Connecting-IP');
    const waitS = address === null ? 0 : this.#failedKeys.waitS(address, ports.nowMs());
    if (waitS > 0) return instances.run({}, (core) => core.refusal(Refusal.failedKeys, waitS));
    const home = this.#edge.homeOf(env, located.account);
    const admitted = located.atHome ? { answer: await home.handle(head, bodyOf(request)) } : await home.admit(head);
    if ('answer' in admitted) {
      if (admitted.answer.status === 401 && address !== null) this.#failedKeys.note(address, ports.nowMs());
      return admitted.answer;
    }

    const recorded = await this.#answerHere(admitted.leave, head, bodyOf(request), waitUntil);
    const sent = this.#reports.add(located.account, recorded.records, env);
    if (this.#edge.times.reportMs > 0) waitUntil(sent);
    else await sent;
    return recorded.answer;
  }
  /** What the catalog alone answers. No such route takes a body, but one that is sent is read, or the connection ends. */
  async #answerHere(leave: Leave, head: Head, stream: Body, waitUntil: WaitUntil): Promise<Recorded> {
    const { instances, ports } = this.#edge;
    let refusal = Refusal.brokenBody;
    try {
      const body = await boundedBody(stream);
      refusal = Refusal.fault;
      await this.#edge.snapshots.ready(waitUntil);
      return await instances.run({ catalog: true }, (core) => core.answer(Home.nobody, leave, { ...head, body }));
    } catch (fault) {
      ports.log(String(fault));
      return instances.run({}, (core) => core.refuse(Home.nobody, leave, head, refusal));
    }
  }
}
