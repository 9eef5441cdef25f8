// Waveform peaks from the builder, in audiowaveform's format version 2: pairs of minimum and maximum.

import { safeUrl } from '../tracks/license';
import { isSameOrigin } from './player';

export interface Peaks {
  low: Float32Array;
  high: Float32Array;
}

const CACHED_MAX = 200;
const cache = new Map<string, Promise<Peaks | null>>();

function parse(body: unknown): Peaks | null {
  const { bits, data } = body as { bits?: number; data?: number[] };
  if (!Array.isArray(data) || data.length < 2 || (bits !== 8 && bits !== 16)) return null;
  const top = 2 ** (bits - 1);
  const pairs = Math.min(Math.floor(data.length / 2), 20_000);
  const low = new Float32Array(pairs);
  const high = new Float32Array(pairs);
  for (let i = 0; i < pairs; i++) {
    low[i] = (data[2 * i] ?? 0) / top;
    high[i] = (data[2 * i + 1] ?? 0) / top;
  }
  return { low, high };
}

async function fetchPeaks(url: string): Promise<Peaks | null> {
  try {
    const response = await fetch(url, { priority: 'low' } as RequestInit);
    return response.ok ? parse(await response.json()) : null;
  } catch {
    return null;
  }
}

/** Returns the peaks of a track, or null if there are none or another site hosts them. */
export function peaksOf(url: string | null): Promise<Peaks | null> {
  const safe = safeUrl(url);
  if (!safe || !isSameOrigin(safe)) return Promise.resolve(null);
  let peaks = cache.get(safe);
  if (!peaks) {
    peaks = fetchPeaks(safe);
    cache.set(safe, peaks);
    if (cache.size > CACHED_MAX) cache.delete(cache.keys().next().value as string);
  }
  return peaks;
}
