// Connections that are as slow as the server allows: each reconnects as soon as the server closes it, so that their number
// stays constant. There are three kinds, as in slowhttptest:
//   head  sends a header field every second, and never the empty line
//   body  announces 60,000 bytes and sends one every second
//   read  requests twenty pages and reads nothing; an empty line every second, which is allowed before a request, detects
//         a closed connection
// They use many addresses of 127.0.0.0/8.

import { connect } from './server_process.mjs';

const EVERY_MS = 1_000;
const PER_ADDRESS = 100;

const heads = (key) => ({
  head: `GET /v1/search HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n`,
  body: `POST /v1/collections HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`,
  read: `GET /v1/search?limit=50 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(20),
});
const drops = { head: 'X: y\r\n', body: ' ', read: '\r\n' };

export const KINDS = Object.keys(heads(''));

export class SlowClients {
  sockets = new Set();
  ended = 0; // by the server
  stopped = false;

  constructor(server, kind, key) {
    Object.assign(this, { server, kind, head: heads(key)[kind] });
  }

  /** Resolves when all of them are connected and have sent their first bytes. */
  async start(count) {
    const opened = Array.from({ length: count }, (_, i) => this.open(`127.0.${2 + Math.floor(i / PER_ADDRESS)}.1`));
    await Promise.all(opened);
    this.timer = setInterval(() => { for (const socket of this.sockets) socket.write(drops[this.kind]); }, EVERY_MS);
  }

  async open(from) {
    const socket = await connect(this.server, from);
    if (this.kind === 'read') socket.pause();
    this.sockets.add(socket);
    socket.closed_.then(() => {
      this.sockets.delete(socket);
      if (this.stopped) return;
      this.ended += 1;
      this.open(from).catch(() => {});
    });
    socket.write(this.head);
  }

  stop() {
    this.stopped = true;
    clearInterval(this.timer);
    for (const socket of this.sockets) socket.destroy();
  }
}
