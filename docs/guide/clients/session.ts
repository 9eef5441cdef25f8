// A session with Tonearm in TypeScript: search, read a track, keep it in a collection, get the credits.
// docs/guide/clients.md says how `api.d.ts` is made and how this is run. TONEARM_URL and TONEARM_KEY say where and who.

import createClient from 'openapi-fetch';

import type { components, paths } from './api.js';

type ApiError = components['schemas']['Error'];

const client = createClient<paths>({
  baseUrl: process.env.TONEARM_URL ?? 'http://127.0.0.1:8081',
  headers: { Authorization: `Bearer ${process.env.TONEARM_KEY}` },
  querySerializer: { array: { style: 'form', explode: false } }, // lists are given once: license=cc0,cc-by-4.0
});

/** What was answered, or an exception with the words of the service. */
function answered<Data>({ data, error }: { data?: Data; error?: ApiError }): Data {
  if (data === undefined) throw new Error(error ? `${error.error}: ${error.message}` : 'no answer', { cause: error });
  return data;
}

const page = answered(await client.GET('/v1/search', {
  params: { query: { q: 'piano', commercial: true, sort: 'relevance', license: ['cc0', 'cc-by-4.0'], limit: 2 } },
}));
console.log(`${page.total} tracks`);
// A search can leave out any field (`fields`), so the compiler takes none for granted.
for (const { id, title, terms } of page.tracks) console.log(`${id}: ${title}, credit ${terms?.credit}`);
const ids = page.tracks.flatMap(({ id }) => id ?? []);

const [first] = ids;
if (first === undefined) throw new Error('Nothing was found.');
const track = answered(await client.GET('/v1/tracks/{id}', { params: { path: { id: first } } }));
console.log(`license ${track.license.id}`);

const collection = answered(await client.POST('/v1/collections', { body: { name: 'Rainy evenings', commercial: true } }));
const path = { id: collection.id };
const added = answered(await client.POST('/v1/collections/{id}/items', {
  params: { path },
  body: { tracks: ids },
}));
console.log(`revision ${added.revision}`);

const credits = answered(await client.GET('/v1/collections/{id}/credits', {
  params: { path, query: { format: 'text' } },
  parseAs: 'text',
}));
console.log(credits);

// An error is one of the codes of the description, so the compiler knows this one.
const { error } = await client.GET('/v1/tracks/{id}', { params: { path: { id: 'nobody-1' } } });
if (error?.error === 'not_found') console.log(`error: ${error.message}`);

// A parameter that is at fault is named, so that a form can mark it.
const { error: wrong } = await client.GET('/v1/search', { params: { query: { limit: 51 } } });
if (wrong?.parameter !== undefined) console.log(`wrong: ${wrong.parameter}`);

answered(await client.DELETE('/v1/collections/{id}', { params: { path, query: { confirm: true } } }));
