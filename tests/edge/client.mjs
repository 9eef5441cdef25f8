// Sends many concurrent requests to a local worker.

import { Agent, request as httpRequest } from 'node:http';

export class Client {
  #agent;
  #base;

  /** `sockets` is the maximum number of connections; further requests wait for one. */
  constructor(base, { sockets = 64 } = {}) {
    this.#base = new URL(base);
    // A workerd on an overloaded machine closes a kept connection if it has not read the next request within five seconds.
    this.#agent = new Agent({ maxSockets: sockets });
  }

  /** Returns `{status, headers, body}` with the body parsed as JSON. Rejects if the response is incomplete. */
  send(method, path, { bearer, body } = {}) {
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

/** Sends admin requests. Rejects for any status other than success. */
export class Operator {
  #client;
  #token;

  constructor(client, token) {
    this.#client = client;
    this.#token = token;
  }

  async send(method, path, body) {
    const answer = await this.#client.send(method, `/admin${path}`, { bearer: this.#token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Creates an account with a key. */
  async newAccount(plan) {
    const { account } = await this.send('POST', '/accounts', { plan });
    const { key } = await this.send('POST', `/accounts/${account}/keys`, {});
    return { account, key };
  }
}
