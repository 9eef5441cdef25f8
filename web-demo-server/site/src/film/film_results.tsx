// The tracks of a film with their times and licenses, their credits, and the cue sheet.

import { useEffect, useState } from 'preact/hooks';
import type { Track } from '../calls/types';
import { openAddDialog } from '../collections/selection';
import { visibleTracks } from '../player/keys';
import { saveFile } from '../shell/files';
import { Icon } from '../shell/icons';
import { t } from '../shell/later_texts';
import { copy } from '../shell/notices';
import { fileNameOf, shortLine, valueLabel } from '../shell/texts';
import { CREDIT_FORMATS } from '../tracks/license';
import type { CreditFormat } from '../tracks/license';
import { CollectedMark, CopyCredit, creditFormat, LicenseBadge, pickCreditFormat } from '../tracks/parts';
import { ArtistLink, PlayButton, titleOf } from '../tracks/row';
import { cueSheet, verdictOf } from './cue_sheet';
import type { Film } from './film';
import { creditsOf, FILE_ENDINGS } from './film_credits';
import { filmClock } from './film_clock';
import type { RecognizedTrack } from './track_uses';

const TIMES_MAX = 12;

const rangeText = ({ begin_s, end_s }: RecognizedTrack['times'][number]) => t('film.time', { from: filmClock(begin_s), to: filmClock(end_s) });

function Times({ of: { times } }: { of: RecognizedTrack }) {
  const rest = times.length - TIMES_MAX;
  return (
    <ul class="times" aria-label={t('film.times')}>
      {times.slice(0, TIMES_MAX).map((time) => <li key={time.begin_s}>{rangeText(time)}</li>)}
      {rest > 0 && <li>{t('film.moreTimes', { count: rest })}</li>}
    </ul>
  );
}

function FilmRow({ found, list, isCommercial }: { found: RecognizedTrack; list: readonly Track[]; isCommercial: boolean }) {
  const { track } = found;
  const verdict = verdictOf(found, isCommercial);
  return (
    <li class="shared-item" data-track={track.id} data-verdict={verdict}>
      <PlayButton track={track} list={list} />
      <div class="row-what">
        <h3><a href={`/tracks/${encodeURIComponent(track.id)}`}><bdi>{titleOf(track)}</bdi></a></h3>
        <p><CollectedMark track={track} /><ArtistLink name={track.artist} /></p>
        <Times of={found} />
        {verdict === 'not_allowed' && <p class="signs"><span class="sign warn">{t('film.notAllowed')}</span></p>}
        {verdict === 'unknown' && <p class="signs"><span class="sign warn">{t('film.unsure')}</span></p>}
      </div>
      <LicenseBadge of={track} />
      <div class="row-actions">
        <CopyCredit of={track} compact />
        <button class="icon" type="button" aria-label={t('collection.addTitle', { title: titleOf(track, 80) })} title={t('collection.add')} onClick={() => openAddDialog([track])}><Icon name="add" /></button>
      </div>
    </li>
  );
}

/** The name of a film without its ending, for the names of files (WEB-42). */
const baseOf = (name: string) => fileNameOf(name.replace(/\.[^.]+$/, ''), 'film');

function CreditsPanel({ of, tracks }: { of: Film; tracks: readonly Track[] }) {
  const format = creditFormat.value;
  const text = creditsOf(tracks, format);
  return (
    <section class="panel" aria-labelledby="credits-title">
      <h2 id="credits-title">{t('collection.credits')}</h2>
      <label class="picker"><span>{t('collection.credits.format')}</span>
        <select value={format} onChange={(event) => pickCreditFormat(event.currentTarget.value as CreditFormat)}>
          {CREDIT_FORMATS.map((name) => <option key={name} value={name}>{valueLabel('credit.format', name)}</option>)}
        </select></label>
      <textarea class="credits-text" readOnly rows={8} value={text} aria-label={t('collection.credits')} />
      <div class="buttons">
        <button type="button" onClick={() => void copy(text, t('copy.done'))}><Icon name="copy" /> {t('collection.credits.copy')}</button>
        <button type="button" onClick={() => saveFile(`${baseOf(of.name)}-credits.${FILE_ENDINGS[format]}`, [text])}><Icon name="download" /> {t('collection.credits.download')}</button>
      </div>
      <p class="small">{t('film.collect.why')}</p>
    </section>
  );
}

export function FilmResults({ of }: { of: Film }) {
  const [isCommercial, setCommercial] = useState(true);
  const list = of.tracks.map(({ track }) => track);
  const credited = of.tracks.filter((found) => verdictOf(found, isCommercial) !== 'unknown').map(({ track }) => track);
  useEffect(() => { visibleTracks.value = list; }, [of.tracks]);
  return (
    <>
      <section class="stack" aria-labelledby="found-title">
        <h2 id="found-title">{t('film.tracks')}</h2>
        <label class="switch"><input type="checkbox" role="switch" checked={isCommercial} onChange={(event) => setCommercial(event.currentTarget.checked)} /> {t('collection.commercial')}</label>
        <ol class="items" aria-label={shortLine(of.name, 80)}>
          {of.tracks.map((found) => <FilmRow key={found.track.id} found={found} list={list} isCommercial={isCommercial} />)}
        </ol>
        <div class="buttons">
          {credited.length > 0 && <button class="primary" type="button" onClick={() => openAddDialog(credited)}><Icon name="add" /> {t('film.collect')}</button>}
          <button type="button" onClick={() => saveFile(`${baseOf(of.name)}-cue-sheet.csv`, [cueSheet(of.name, of.tracks, isCommercial)])}><Icon name="download" /> {t('film.cueSheet')}</button>
        </div>
      </section>
      {credited.length > 0 && <CreditsPanel of={of} tracks={credited} />}
    </>
  );
}
