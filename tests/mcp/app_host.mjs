// A host of MCP Apps as a web page, for tests: `app_host_page.mjs` on one origin, and a sandbox for the pages of servers on another one,
// as the specification of MCP Apps asks of hosts that are web pages.

import http from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startGateway } from './key_gateway.mjs';

const here = dirname(fileURLToPath(import.meta.url));
// host-wasm has the only esbuild of the repository.
const { build } = createRequire(resolve(here, '../../host-wasm/package.json'))('esbuild');

const PAGE = `<!doctype html><html lang="en"><title>Host</title><style>body { margin: 0; font-family: system-ui } iframe { width: 100%; border: 0 }</style>
<iframe title="App" sandbox="allow-scripts allow-same-origin"></iframe><script type="module" src="/host.js"></script>`;

/** The outer frame: passes messages on, and writes the page into a frame of its own. */
const SANDBOX = `<!doctype html><title>Sandbox</title><style>html, body, iframe { margin: 0; width: 100%; height: 100%; border: 0 }</style><body><script>
const frame = document.createElement('iframe');
frame.title = 'Page';
frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
document.body.append(frame);
addEventListener('message', ({ source, data }) => {
  if (source === frame.contentWindow) return parent.postMessage(data, '*');
  if (data.method !== 'ui/notifications/sandbox-resource-ready') return frame.contentWindow.postMessage(data, '*');
  frame.contentDocument.open();
  frame.contentDocument.write(data.params.html);
  frame.contentDocument.close();
});
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
</script>`;

/** The policy that the specification of MCP Apps builds from the domains of a page. */
function policyOf({ connectDomains = [], resourceDomains = [] }) {
  const resources = resourceDomains.join(' ');
  return `default-src 'none'; script-src 'self' 'unsafe-inline' ${resources}; style-src 'self' 'unsafe-inline' ${resources}; connect-src 'self' ${connectDomains.join(' ')}; `
    + `img-src 'self' data: ${resources}; font-src 'self' ${resources}; media-src 'self' data: ${resources}; frame-src 'none'; object-src 'none'; base-uri 'self'`;
}

/** Starts the host for the server of `url`; messages are sent with the key that `keyOf` returns. Returns `{url, sandbox, end()}`. */
export async function startAppHost(url, keyOf) {
  const { outputFiles: [script] } = await build({ entryPoints: [join(here, 'app_host_page.mjs')], bundle: true, write: false, format: 'esm', target: 'es2022', platform: 'browser', logLevel: 'warning' });
  const gateway = await startGateway(url, keyOf, (text) => text, { '/': { type: 'text/html', text: PAGE }, '/host.js': { type: 'text/javascript', text: script.text } });
  const sandbox = http.createServer((request, response) => {
    const { searchParams } = new URL(request.url, 'http://sandbox');
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policyOf(JSON.parse(searchParams.get('csp') ?? '{}')) }).end(SANDBOX);
  });
  await new Promise((done) => { sandbox.listen(0, '127.0.0.1', done); });
  return {
    url: gateway.url,
    sandbox: `http://127.0.0.1:${sandbox.address().port}/`,
    end: () => Promise.all([gateway.end(), new Promise((done) => { sandbox.close(done); sandbox.closeAllConnections(); })]),
  };
}
