// A web server with one file, which serves ranges as nginx and Caddy do, or otherwise as a test wants it.

import { createServer } from 'node:http';

const RANGE = /^bytes=(\d*)-(\d*)$/;

/** First byte and end of what a Range field asks for. */
function wanted(field, size) {
  const [, first, last] = RANGE.exec(field);
  if (first === '') return [Math.max(size - Number(last), 0), size];
  return [Number(first), Math.min(Number(last) + 1, size)];
}

/**
 * `file`: {bytes, etag}, may be replaced while it serves. `behaves(request, response)`: answers in place of the server where it gives true.
 * `end()` closes it.
 */
export async function startRangeServer(bytes, etag = '"first"') {
  const served = { file: { bytes, etag }, behaves: () => false, requests: [] };
  const server = createServer((request, response) => {
    served.requests.push(request.headers);
    if (served.behaves(request, response)) return;
    const { bytes: content, etag: tag } = served.file;
    const fields = { 'Accept-Ranges': 'bytes', 'Content-Type': 'application/octet-stream', ...(tag && { ETag: tag }) };
    const { range, 'if-range': condition } = request.headers;
    if (range === undefined || (condition !== undefined && condition !== tag)) {
      response.writeHead(200, { ...fields, 'Content-Length': content.length }).end(content);
      return;
    }
    const [first, end] = wanted(range, content.length);
    const part = content.subarray(first, end);
    const contentRange = `bytes ${first}-${end - 1}/${content.length}`;
    response.writeHead(206, { ...fields, 'Content-Range': contentRange, 'Content-Length': part.length }).end(part);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/catalog.sqlite`;
  const end = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(served, { url, end });
}
