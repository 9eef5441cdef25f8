// The front end of the API. It routes a call to its account's shard, which admits it. If only the catalog is needed, this
// isolate answers from its snapshot; otherwise the shard answers.

import { encodeText } from '../../core-js/src/message';
import { type AccountShardRpc, type Env, LAYOUT } from './bindings';
import { type AdmissionTicket, type Answer, type Head, type RecordedAnswer, Refusal, ShardRole } from './core';
import { DeadlineExceeded } from './deadline';
import type { Edge } from './edge';
import { FailedKeys, networkOf } from './failed_keys';
import { bodyOf, boundedBody, headOf, isMcp, toResponse } from './http';
import { sha256Hex } from './ports';
import { type CallSession, type OpenCall, RecordQueue } from './record_queue';

/** The number of responses to failed keys that may be delayed at once. */
const DELAYED_MAX = 1_000;

const isChallenge = ([name]: string[]) => name?.toLowerCase() === 'www-authenticate';

type WaitUntil = (work: Promise<void>) => void;

/** A request that arrived. */
interface Incoming {
  request: Request;
  head: Head;
  env: Env;
  waitUntil: WaitUntil;
}

/** The answer of a shard, or a call that it has admitted and this isolate answers, with the body if the shard has read it. */
type Handled = { answer: Answer } | { ticket: AdmissionTicket; session?: CallSession; body?: Uint8Array };

async function handledBy(
  shard: DurableObjectStub<AccountShardRpc>,
  head: Head,
  stream: ReadableStream<Uint8Array> | null,
  release: string,
): Promise<Handled> {
  const handled = await shard.handle(LAYOUT, head, stream, release);
  return 'ticket' in handled ? handled : { answer: handled };
}

export class Api {
  readonly #edge: Edge;
  readonly #recordQueue: RecordQueue;
  readonly #failedKeys = new FailedKeys();
  /** The core's responses to an invalid key: that of `/mcp`, which names its metadata (MCP-20), and that of all other paths. */
  readonly #invalidKeys = new Map<boolean, Answer>();
  #delayed = 0;

  constructor(edge: Edge) {
    this.#edge = edge;
    this.#recordQueue = new RecordQueue(edge);
  }

  /** Completes a call even if its client disconnects, because the call is counted and recorded. */
  fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const response = this.#respond(request, env, (work) => ctx.waitUntil(work));
    ctx.waitUntil(response);
    return response;
  }

  // Catches all exceptions, so that responses reveal no internals (ERROR-3).
  async #respond(request: Request, env: Env, waitUntil: WaitUntil): Promise<Response> {
    try {
      return toResponse(await this.#answer(request, env, waitUntil), request);
    } catch (error) {
      this.#edge.ports.log(String(error instanceof Error ? error.stack : error));
      return toResponse(this.#edge.core.unavailable, request);
    }
  }

  async #answer(request: Request, env: Env, waitUntil: WaitUntil): Promise<Answer> {
    const { core: isolateCore, ports } = this.#edge;
    const head = headOf(request);
    const routed = await isolateCore.run({}, (core) => core.route(head));
    if ('answer' in routed) return routed.answer;
    if (routed.account === '') {
      // The other public paths do not need the catalog.
      const catalog = head.target.startsWith('/readyz');
      const hasCatalog = catalog && (await this.#edge.prepareCatalog(waitUntil)());
      return (await isolateCore.run({ catalog }, (core) => core.answer(ShardRole.stateless, undefined, head, hasCatalog || !catalog))).answer;
    }

    const key = sha256Hex(ports, encodeText(request.headers.get('Authorization') ?? ''));
    const isMessage = isMcp(head.target);
    const invalidKey = this.#invalidKeys.get(isMessage);
    if (invalidKey !== undefined && this.#failedKeys.has(key, ports.nowMs())) return this.#refuseKey(request, invalidKey);
    const answered = await this.#recordCall(routed.account, routed.inShard, { request, head, env, waitUntil });
    if ('records' in answered || answered.answer.status !== 401) return answered.answer;
    this.#invalidKeys.set(isMessage, answered.answer);
    this.#failedKeys.add(key, ports.nowMs());
    return this.#refuseKey(request, answered.answer);
  }

  /** Answers a call of an account, and sends its record if there is one. */
  async #recordCall(account: string, inShard: boolean, incoming: Incoming): Promise<{ answer: Answer } | RecordedAnswer> {
    const call = this.#recordQueue.begin(account);
    let records: Uint8Array = new Uint8Array();
    try {
      const answered = await this.#answerCall(call, inShard, incoming);
      if ('records' in answered) records = answered.records;
      return answered;
    } finally {
      const ended = this.#recordQueue.end(call, records, incoming.env);
      if (this.#edge.times.reportMs > 0) incoming.waitUntil(ended);
      else await ended;
    }
  }

  /** Returns the answer of the account's shard, or, if that admitted the call for this isolate, an answer with its record. */
  async #answerCall(call: OpenCall, inShard: boolean, { request, head, env, waitUntil }: Incoming): Promise<{ answer: Answer } | RecordedAnswer> {
    const shard = this.#edge.shardOf(env, call.account);
    // The snapshot is opened while the shard admits the call.
    const prepareCatalog = () => this.#edge.prepareCatalog(waitUntil);
    const catalog = !inShard || (isMcp(head.target) && head.method === 'POST') ? prepareCatalog() : null;
    const admitted: Handled = inShard ? await handledBy(shard, head, bodyOf(request), this.#edge.release) : await shard.admit(LAYOUT, head);
    if ('answer' in admitted) return admitted;
    call.keep(admitted.session ?? null);
    const body = admitted.body === undefined ? boundedBody(bodyOf(request), this.#edge.times.bodyMs) : Promise.resolve(admitted.body);
    return this.#answerFromCatalog(admitted.ticket, head, body, catalog ?? prepareCatalog());
  }

  /** Answers a call with an invalid key; delays the response if its network has sent too many (HOST-7). */
  async #refuseKey(request: Request, answer: Answer): Promise<Answer> {
    const { core: isolateCore, ports, times } = this.#edge;
    const address = request.headers.get('CF-Connecting-IP');
    const waitS = address === null ? 0 : this.#failedKeys.recordFailure(networkOf(address), ports.nowMs());
    if (waitS === 0) return answer;
    if (this.#delayed < DELAYED_MAX) {
      ++this.#delayed;
      await scheduler.wait(times.failedKeyMs).finally(() => --this.#delayed);
    }
    const refusal = await isolateCore.run({}, (core) => core.refusal(Refusal.failedKeys, waitS));
    return { ...refusal, headers: [...refusal.headers.filter((field) => !isChallenge(field)), ...answer.headers.filter(isChallenge)] };
  }

  /** Answers a call that needs only the catalog, once that is loaded. Always reads the body, because otherwise the connection would close. */
  async #answerFromCatalog(ticket: AdmissionTicket, head: Head, pending: Promise<Uint8Array>, catalog: () => Promise<boolean>): Promise<RecordedAnswer> {
    const { core: isolateCore, ports } = this.#edge;
    let refusal = Refusal.brokenBody;
    try {
      const body = await pending;
      refusal = Refusal.internalError;
      const hasCatalog = await catalog();
      return await isolateCore.run({ catalog: true }, (core) => core.answer(ShardRole.stateless, ticket, { ...head, body }, hasCatalog));
    } catch (error) {
      ports.log(String(error));
      if (error instanceof DeadlineExceeded) refusal = Refusal.lateBody;
      return isolateCore.run({}, (core) => core.refuse(ShardRole.stateless, ticket, head, refusal));
    }
  }
}
