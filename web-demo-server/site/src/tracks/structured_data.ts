// The schema.org description of a track, for search engines.

import { embeddedJson } from '../calls/page_data';
import type { Track } from '../calls/types';
import { oneLine, shortLine } from '../shell/texts';
import { safeUrl } from './license';

/** Returns an AudioObject as JSON-LD. */
export function audioObject(track: Track): string {
  const creator = shortLine(track.artist);
  return embeddedJson({
    '@context': 'https://schema.org',
    '@type': 'AudioObject',
    name: shortLine(track.title),
    url: safeUrl(track.page_url) ?? undefined,
    description: track.description ? shortLine(track.description, 1000) : undefined,
    creator: creator ? { '@type': 'Person', name: creator } : undefined,
    duration: `PT${track.duration_s}S`,
    datePublished: track.published ?? undefined,
    contentUrl: safeUrl(track.preview_url) ?? safeUrl(track.original_url) ?? undefined,
    license: safeUrl(track.license.url) ?? undefined,
    acquireLicensePage: safeUrl(track.page_url) ?? undefined,
    creditText: oneLine(track.credit_line),
  });
}
