// A shared collection inside a page of another site. It runs no script: links open in a new tab, and the browser plays audio
// of this site. Audio of other sites needs the consent of the person (WEB-24), so it is only linked.

import { site } from '../shell/router';
import { lengthOf, shortLine, t } from '../shell/texts';
import { safeUrl } from '../tracks/license';
import { sharedTitle } from './shared_view';
import { sharedAnswer } from './shared_collection';
import type { SharedItem } from './shared_collection';

const NEW_TAB = { target: '_blank', rel: 'noopener' } as const;

function EmbedRow({ item }: { item: SharedItem }) {
  const { track, license_record: record } = item;
  const audio = safeUrl(track?.preview_url);
  return (
    <li>
      <div>
        {track ? <a href={`/tracks/${encodeURIComponent(item.track_id)}`} {...NEW_TAB}><bdi>{sharedTitle(item)}</bdi></a> : <bdi>{sharedTitle(item)}</bdi>}
        <small><bdi>{shortLine(record.artist) || t('track.noArtist')}</bdi> · {record.license.name}{track && ` · ${lengthOf(track.duration_s)}`}</small>
      </div>
      {audio && site.value && audio.startsWith(`${site.value}/`) && <audio controls preload="none" src={audio} aria-label={t('track.play', { title: sharedTitle(item) })} />}
    </li>
  );
}

export function EmbedView({ parts }: { parts: string[] }) {
  const token = parts[1] ?? '';
  const shared = sharedAnswer(token);
  if (!shared) return null;
  return (
    <main class="embed" id="main">
      <h1><a href={`/shared/${token}`} {...NEW_TAB}><bdi>{shortLine(shared.name, 80)}</bdi></a></h1>
      <ol>{shared.items.map((item) => <EmbedRow key={item.track_id} item={item} />)}</ol>
      <p><a href={`/shared/${token}`} {...NEW_TAB}>{t('embed.open', { site: t('site.name') })}</a></p>
    </main>
  );
}
