// Shares whole answers with the other isolates of a data center, through the platform's cache.

import type { SharedAnswers } from '../../core-js/src/shared_answers';
import { type Ports, sha256Hex } from './ports';
import type { SharedCache } from './shared_cache';

/** For answers that are rarely asked for. An entry never becomes stale: its address contains the versions of catalog and code. */
const KEPT_SECONDS = 3_600;

/** `release` identifies the code, because another release may answer otherwise from the same catalog. */
export function sharedAnswersOf(cache: SharedCache, release: string, ports: Ports): SharedAnswers {
  // A hash, because a key contains what was searched for.
  const addressOf = (key: Uint8Array) => `https://answers.tonearm.invalid/${encodeURIComponent(release)}/${sha256Hex(ports, key)}`;
  return {
    find: (key) => cache.find(addressOf(key)),
    store: (key, entry) => cache.put(addressOf(key), entry, KEPT_SECONDS),
  };
}
