// A gateway that adds a key to each request, for clients of /mcp that have no keys (docs/guide/mcp.md). It can also rewrite
// messages, for clients that use other names, and serve pages, for clients in a browser.

import http from 'node:http';

async function textOf(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

/** Listens on a free port and returns `{url, end()}`. `keyOf` chooses the key for the text of a message; `rewrite` maps the text to
 * the one to send; `pages` has `{type, text}` by path. */
export async function startGateway(target, keyOf, rewrite = (text) => text, pages = {}) {
  const gateway = http.createServer(async (request, response) => {
    if (pages[request.url]) return response.writeHead(200, { 'Content-Type': pages[request.url].type }).end(pages[request.url].text);
    const body = rewrite(await textOf(request));
    const headers = { ...request.headers, authorization: `Bearer ${keyOf(body)}`, 'content-length': Buffer.byteLength(body) };
    delete headers['transfer-encoding'];
    const passed = http.request(`${target}${request.url}`, { method: request.method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.writeHead(502).end());
    passed.end(body);
  });
  await new Promise((done) => gateway.listen(0, 'localhost', done));
  return {
    url: `http://localhost:${gateway.address().port}`,
    end: () => new Promise((done) => {
      gateway.close(done);
      gateway.closeAllConnections();
    }),
  };
}
