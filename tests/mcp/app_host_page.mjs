// The browser's part of the host of MCP Apps: it connects the official client with `/mcp` and the AppBridge of the official package with a
// frame, as hosts of conversations do. `app_host.mjs` bundles and serves it.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AppBridge, getToolUiResourceUri, PostMessageTransport, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/app-bridge';

const WHO = { name: 'tonearm-app-host', version: '1.0.0' };
const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } };

const client = new Client(WHO, { capabilities: APPS, versionNegotiation: { mode: { pin: '2026-07-28' } } });
let bridge;

/** Waits until the sandbox in the frame says that it is ready. */
const whenReady = (frame) => new Promise((done) => {
  const listen = ({ source, data }) => {
    if (source !== frame.contentWindow || data?.method !== 'ui/notifications/sandbox-proxy-ready') return;
    window.removeEventListener('message', listen);
    done();
  };
  window.addEventListener('message', listen);
});

/**
 * Calls a tool, and shows its result in the page that the tool names. `capabilities` replaces some of the host's; `allowsMedia`: whether
 * the host grants the domains that the page asks for.
 */
async function open(name, given, { sandbox, context = {}, capabilities = {}, allowsMedia = true }) {
  const { tools } = await client.listTools();
  const uri = getToolUiResourceUri(tools.find((tool) => tool.name === name));
  const { contents: [page] } = await client.readResource({ uri });
  if (page.mimeType !== RESOURCE_MIME_TYPE) throw new Error(`the page is ${page.mimeType}`);
  const csp = allowsMedia ? page._meta.ui.csp : {};
  const frame = document.querySelector('iframe').cloneNode();
  document.querySelector('iframe').replaceWith(frame);
  const ready = whenReady(frame);
  frame.src = `${sandbox}?csp=${encodeURIComponent(JSON.stringify(csp))}`;
  await ready;

  bridge = new AppBridge(client, WHO, { openLinks: {}, serverTools: {}, updateModelContext: { text: {} }, ...capabilities }, { hostContext: context });
  window.said = { links: [], contexts: [] };
  bridge.onopenlink = async ({ url }) => { window.said.links.push(url); return {}; };
  bridge.onupdatemodelcontext = async (params) => { window.said.contexts.push(params); return {}; };
  bridge.onsizechange = ({ height }) => { frame.style.height = `${height}px`; };
  const initialized = new Promise((done) => { bridge.oninitialized = done; });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await bridge.sendSandboxResourceReady({ html: page.text, csp });
  await initialized;
  await show(name, given);
}

async function show(name, given) {
  bridge.sendToolInput({ arguments: given });
  bridge.sendToolResult(await client.callTool({ name, arguments: given }));
}

await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', location.href)));
window.app = { open, setContext: (context) => bridge.setHostContext(context), cancel: (reason) => bridge.sendToolCancelled({ reason }), end: () => bridge.teardownResource({}) };
