// The entry of /docs: the API reference, rendered by Scalar from the API's OpenAPI description. "Try it" sends requests
// through the site's server as the signed-in person; the page needs no key.

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

/** Shows the example of an optional parameter, but does not send it unless it is enabled. */
function makeOptional(parameter: Parameter) {
  if (parameter.example === undefined || parameter.required || parameter.in === 'path') return;
  parameter.examples = { default: { value: parameter.example, 'x-disabled': true } };
  delete parameter.example;
}

/** Sends requests to the site's own server, which adds the key. */
function routeThroughSite(description: Description): Description {
  delete description.components?.securitySchemes;
  delete description.security;
  for (const call of Object.values(description.paths ?? {}).flatMap((path) => Object.values(path))) {
    delete call.security;
    call.parameters?.forEach(makeOptional);
  }
  Object.values(description.components?.parameters ?? {}).forEach(makeOptional);
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
    content: routeThroughSite(description),
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    defaultOpenAllTags: true,
    // Disables features that contact other servers or are for authors of descriptions.
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    // The CSRF token of this session, not a key.
    onBeforeRequest: ({ requestBuilder }: { requestBuilder: { headers: Headers } }) => requestBuilder.headers.set('X-CSRF-Token', csrf),
  } as Parameters<typeof createApiReference>[1]);
}

void start();
