// The entry of /docs: the reference of the API by Scalar, from the description that the API itself gives. "Try it" goes
// through the site's server as the person who is signed in; no key is entered here.

import { createApiReference } from '@scalar/api-reference';
import '@scalar/api-reference/style.css';
import './style/tokens.css';
import './style/docs.css';

interface Parameter {
  in?: string;
  required?: boolean;
  example?: unknown;
  examples?: Record<string, { value: unknown; 'x-disabled': boolean }>;
}
interface Description {
  servers?: unknown;
  security?: unknown;
  components?: { securitySchemes?: unknown; parameters?: Record<string, Parameter> };
  paths?: Record<string, Record<string, { security?: unknown; parameters?: Parameter[] }>>;
}

/** What need not be given stands there as an example, but is not sent before somebody ticks it. */
function leaveOut(parameter: Parameter) {
  if (parameter.example === undefined || parameter.required || parameter.in === 'path') return;
  parameter.examples = { default: { value: parameter.example, 'x-disabled': true } };
  delete parameter.example;
}

/** Calls go to the site's own server, which adds the key. */
function throughTheSite(description: Description): Description {
  delete description.components?.securitySchemes;
  delete description.security;
  for (const call of Object.values(description.paths ?? {}).flatMap((path) => Object.values(path))) {
    delete call.security;
    call.parameters?.forEach(leaveOut);
  }
  Object.values(description.components?.parameters ?? {}).forEach(leaveOut);
  return { ...description, servers: [{ url: `${location.origin}/site/try` }] };
}

async function csrfToken(): Promise<string> {
  const response = await fetch('/site/session');
  return response.ok ? ((await response.json()) as { csrf: string }).csrf : '';
}

async function start() {
  const [description, csrf] = await Promise.all([fetch('/openapi.json').then((response) => response.json() as Promise<Description>), csrfToken()]);
  const box = document.getElementById('app');
  if (!box) return;
  box.textContent = '';
  const back = document.createElement('a');
  back.className = 'docs-back';
  back.href = '/';
  back.textContent = '← Tonearm';
  const head = document.createElement('header');
  head.append(back);
  const whole = document.createElement('div');
  whole.id = 'reference';
  const reference = document.createElement('div');
  whole.append(reference);
  box.append(head, whole);
  createApiReference(reference, {
    content: throughTheSite(description),
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    defaultOpenAllTags: true,
    // What would talk to other servers, or is for authors of descriptions.
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    // The token of this session, which proves that the page sent it; no key.
    onBeforeRequest: ({ requestBuilder }: { requestBuilder: { headers: Headers } }) => requestBuilder.headers.set('X-CSRF-Token', csrf),
  } as Parameters<typeof createApiReference>[1]);
}

void start();
