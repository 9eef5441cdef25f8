'use strict';
// Talks to the host of the frame: JSON-RPC 2.0 over postMessage, as MCP Apps (revision 2026-01-26) describes.

const host = (() => {
  const METHOD_NOT_FOUND = -32601;
  const pending = new Map(); // id of a request -> {resolve, reject}
  const handlers = new Map(); // method -> function of the params
  let lastId = 0;

  // A page in a sandbox does not know the origin of its host; only the host is its parent.
  const post = (message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

  function receiveAnswer({ id, result, error }) {
    const request = pending.get(id);
    pending.delete(id);
    if (error) request?.reject(new Error(String(error.message ?? 'The host refused.')));
    else request?.resolve(result);
  }

  function receiveRequest({ id, method, params }) {
    const handler = method === 'ping' ? () => {} : handlers.get(method);
    if (id === undefined) return handler?.(params ?? {});
    if (!handler) return post({ id, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } });
    handler(params ?? {});
    return post({ id, result: {} });
  }

  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || data?.jsonrpc !== '2.0') return;
    if (typeof data.method === 'string') receiveRequest(data);
    else receiveAnswer(data);
  });

  return {
    /** Calls `handler` with the params of each request or notification of the host with this method. */
    on: (method, handler) => handlers.set(method, handler),
    notify: (method, params = {}) => post({ method, params }),
    /** Returns the result. Rejects with the host's message if the host answers with an error. */
    request(method, params = {}) {
      const id = ++lastId;
      post({ id, method, params });
      return new Promise((resolve, reject) => { pending.set(id, { resolve, reject }); });
    },
  };
})();
