// A web server with one file, which serves ranges like nginx and Caddy, or as a test requires.

import { createServer } from 'node:http';

const RANGE = /^bytes=(\d*)-(\d*)$/;

/** Returns the first byte and the end of the requested range. */
function wanted(field, size) {
  const [, first, last] = RANGE.exec(field);
  if (first === '') return [Math.max(size - Number(last), 0), size];
  return [Number(first), Math.min(Number(last) + 1, size)];
}

/**
 * `file` is {bytes, etag} and may be replaced at any time. `override(request, response)` answers instead of the server if it returns
 * true. `end()` closes the server.
 */
export async function startRangeServer(bytes, etag = '"first"') {
  const served = { file: { bytes, etag }, override: () => false, requests: [] };
  const server = createServer((request, response) => {
    served.requests.push(request.headers);
    if (served.override(request, response)) return;
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
