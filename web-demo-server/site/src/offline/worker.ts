// Runs the core in a worker. Answers searches from the snapshot, of which it reads either the needed blocks or everything.

import { bytesSource, CatalogReader, httpRangeSource } from 'tonearm-core';
import type { ByteSource, Fetch } from 'tonearm-core';
import moduleUrl from '../../../../build/wasm/bin/tonearm.wasm?url';
import type { OfflineResponse, OfflineRequest } from './messages';

const SNAPSHOT = '/offline/catalog.sqlite';

const post = (message: OfflineResponse) => self.postMessage(message);
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Bypasses the browser's cache, which serializes requests for one URL. The reader sends six at a time. */
const uncached: Fetch = (url, init) => fetch(url, { ...init, cache: 'no-store' });

async function source(whole: boolean): Promise<ByteSource> {
  if (!whole) return httpRangeSource(SNAPSHOT, uncached);
  const response = await fetch(SNAPSHOT);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return bytesSource(new Uint8Array(await response.arrayBuffer()));
}

async function open(whole: boolean): Promise<CatalogReader> {
  const response = await fetch(moduleUrl);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const reader = await CatalogReader.open({ module: await response.arrayBuffer(), source: source(whole) });
  await reader.answer('/v1/search?limit=1&fields=id');
  return reader;
}

let reader: CatalogReader | null = null;

async function answer({ id, open: opening, path }: OfflineRequest): Promise<OfflineResponse> {
  if (opening) reader = await open(opening.whole);
  if (!reader) throw new Error('not open');
  const progress = () => ({ progress: { ...(reader as CatalogReader).statistics } });
  if (!path) return { id, ...progress() };
  const { status, body } = await reader.answer(path);
  return { id, status, body: JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as unknown, ...progress() };
}

self.onmessage = ({ data }: MessageEvent<OfflineRequest>) => {
  answer(data).then(post, (error: unknown) => post({ id: data.id, error: reason(error) }));
};
