// Many requests at a time to a local worker.

import { Agent, request as httpRequest } from 'node:http';

export class Client {
  #agent;
  #base;

  /** `sockets`: connections at most; further requests wait for one. */
  constructor(base, { sockets = 64 } = {}) {
    this.#base = new URL(base);
    this.#agent = new Agent({ keepAlive: true, maxSockets: sockets });
  }

  /** `{status, headers, body}`, the body read as JSON. Rejects where no whole answer came. */
  ask(method, path, { bearer, body } = {}) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = { ...(bearer && { Authorization: `Bearer ${bearer}` }) };
    if (text !== '') Object.assign(headers, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    const { hostname, port } = this.#base;
    return new Promise((resolve, reject) => {
      const request = httpRequest({ hostname, port, method, path, headers, agent: this.#agent }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode: status, headers: fields } = response;
          resolve({ status, headers: fields, body: JSON.parse(Buffer.concat(parts).toString('utf8')) });
        });
      });
      request.on('error', reject);
      request.end(text);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/** The operator's requests. Reject for any status but those of success. */
export class Operator {
  #client;
  #token;

  constructor(client, token) {
    this.#client = client;
    this.#token = token;
  }

  async ask(method, path, body) {
    const ask = () => this.#client.ask(method, `/admin${path}`, { bearer: this.#token, body });
    // A connection that rested may end as its next request goes out; a reading one is sent again (RFC 9112, 9.3.1).
    const answer = await ask().catch((error) => {
      if (method !== 'GET' || error.code !== 'ECONNRESET') throw error;
      return ask();
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** An account with a key. */
  async newAccount(plan) {
    const { account } = await this.ask('POST', '/accounts', { plan });
    const { key } = await this.ask('POST', `/accounts/${account}/keys`, {});
    return { account, key };
  }
}
