// A proxy in front of the API that can hold requests back, for tests of how the site behaves beside slow or silent calls.

import http from 'node:http';

/** Forwards to `target`. Requests that `holds(request)` accepts wait until `release()`. */
export class GatedApi {
  seen = []; // method and target of all requests
  held = []; // the targets of requests that were ever held
  #waiting = [];
  #changed = [];
  #holds = () => false;

  static async start(target) {
    const gate = new GatedApi();
    gate.agent = new http.Agent({ keepAlive: true });
    gate.server = http.createServer((request, response) => gate.#serve(new URL(target), request, response));
    await new Promise((done) => { gate.server.listen(0, '127.0.0.1', done); });
    gate.url = `http://127.0.0.1:${gate.server.address().port}`;
    return gate;
  }

  /** Holds requests back from now on. */
  hold(holds = () => true) { this.#holds = holds; }

  /** Forwards what waits, and everything from now on. */
  release() {
    this.#holds = () => false;
    for (const forward of this.#waiting.splice(0)) forward();
  }

  /** Resolves when `count` requests whose target contains `text` have been held. */
  async until(count, text = '') {
    while (this.held.filter((target) => target.includes(text)).length < count) await new Promise((wake) => { this.#changed.push(wake); });
  }

  #serve(target, request, response) {
    const forward = () => {
      const { hostname, port } = target;
      const { method, url: path, headers } = request;
      const sent = http.request({ hostname, port, method, path, headers, agent: this.agent }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      sent.on('error', () => response.destroy());
      request.pipe(sent);
    };
    response.on('error', () => {});
    this.seen.push(`${request.method} ${request.url}`);
    if (!this.#holds(request)) return forward();
    this.held.push(request.url);
    this.#waiting.push(forward);
    for (const wake of this.#changed.splice(0)) wake();
  }

  async stop() {
    this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise((done) => { this.server.close(done); });
  }
}
