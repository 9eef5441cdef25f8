// A worker without Node.js compatibility and without bindings. It uses only fetch, the module and the package.

import module from './tonearm.wasm';

import { CatalogReader, httpRangeSource } from '../../core-js/src/index.ts';

let reader: Promise<CatalogReader> | null = null;

/** Answers the target in the body with the snapshot at the URL in the query. */
export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url).searchParams.get('snapshot') ?? '';
    reader ??= CatalogReader.open({ module, source: httpRangeSource(url) });
    const { status, headers, body } = await (await reader).answer(await request.text());
    return new Response(body, { status, headers: Object.fromEntries(headers) });
  },
};
