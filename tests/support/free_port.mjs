// A free port of 127.0.0.1, for servers whose address must be known before they start.

import { createServer } from 'node:net';

export async function freePort() {
  const server = createServer();
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const { port } = server.address();
  await new Promise((done) => { server.close(done); });
  return port;
}
