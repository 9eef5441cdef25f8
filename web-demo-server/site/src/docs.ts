// The entry of /docs: the API reference, rendered by Scalar from the API's OpenAPI description. It shows the API's own address
// and header; "Try it" sends requests through the site's server as the signed-in person, so the page needs no key.

import { createApiReference } from '@scalar/api-reference';
import '@scalar/api-reference/style.css';
import { readPageData } from './calls/page_data';
import { setLanguage, t } from './shell/texts';
import './style/docs.css';

interface Parameter {
  in?: string;
  required?: boolean;
  example?: unknown;
  examples?: Record<string, { value: unknown; 'x-disabled': boolean }>;
}
interface Description {
  servers?: unknown;
  components?: { parameters?: Record<string, Parameter> };
  paths?: Record<string, Record<string, { parameters?: Parameter[] }>>;
}

/** Shows the example of an optional parameter, but does not send it unless it is enabled. */
function makeOptional(parameter: Parameter) {
  if (parameter.example === undefined || parameter.required || parameter.in === 'path') return;
  parameter.examples = { default: { value: parameter.example, 'x-disabled': true } };
  delete parameter.example;
}

/** Shows the address that programs use. */
function describedAt(api: string, description: Description): Description {
  for (const call of Object.values(description.paths ?? {}).flatMap((path) => Object.values(path))) call.parameters?.forEach(makeOptional);
  Object.values(description.components?.parameters ?? {}).forEach(makeOptional);
  return { ...description, servers: [{ url: api }] };
}

/** Sends a request to the API through the site's server, as the signed-in person. */
function throughSite(api: string, csrf: string) {
  return (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init);
    const url = request.url.startsWith(`${api}/`) ? `${location.origin}/site/try${request.url.slice(api.length)}` : request.url;
    const headers = new Headers(request.headers);
    headers.delete('Authorization'); // the site knows the person
    headers.set('X-CSRF-Token', csrf);
    return fetch(new Request(url, { method: request.method, headers, body: request.body, ...(request.body ? { duplex: 'half' } : {}) } as RequestInit));
  };
}

/** Names the buttons that Scalar shows as an icon only. */
function nameButtons(box: HTMLElement) {
  const name = () => {
    for (const button of box.querySelectorAll<HTMLElement>('button:not([aria-label])')) {
      if (!button.innerText.trim() && !button.title) button.setAttribute('aria-label', button.getAttribute('data-tooltip') ?? t('docs.more'));
    }
  };
  new MutationObserver(name).observe(box, { childList: true, subtree: true });
  name();
}

async function csrfToken(): Promise<string> {
  const response = await fetch('/site/session');
  return response.ok ? ((await response.json()) as { csrf: string }).csrf : '';
}

async function start() {
  const { language, api = '' } = readPageData();
  await setLanguage(language);
  const [description, csrf] = await Promise.all([fetch('/openapi.json').then((response) => response.json() as Promise<Description>), csrfToken()]);
  const box = document.getElementById('app');
  if (!box) return;
  box.textContent = '';
  const back = document.createElement('a');
  back.className = 'docs-back';
  back.href = '/';
  back.textContent = t('docs.back');
  const head = document.createElement('header');
  head.append(back);
  const whole = document.createElement('div');
  whole.id = 'reference';
  const reference = document.createElement('div');
  whole.append(reference);
  box.append(head, whole);
  createApiReference(reference, {
    content: describedAt(api, description),
    fetch: throughSite(api, csrf),
    authentication: { preferredSecurityScheme: 'key', securitySchemes: { key: { token: '<API_KEY>' } } },
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    defaultOpenAllTags: true,
    // Disables features that contact other servers or are for authors of descriptions.
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
  } as Parameters<typeof createApiReference>[1]);
  nameButtons(whole);
}

void start();
