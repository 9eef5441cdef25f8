// The page for finished films: chooses a file, shows the progress, and what was found.

import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../shell/icons';
import { t } from '../shell/later_texts';
import { explain } from '../shell/notices';
import { numberOf, shortLine } from '../shell/texts';
import '../style/people.css';
import '../style/film.css';
import { cancelListening, film, isFilmBuilt, listenTo, resumeListening } from './film';
import type { Film } from './film';
import { FilmResults } from './film_results';
import { filmClock } from './film_clock';
import type { Problem } from './messages';

const ACCEPTED = '.mp4,.mov,.m4v,.m4a,.mkv,.webm,.mka,.mp3,.wav,.flac,.ogg,.opus,.oga,.aac,video/*,audio/*';

/** The same on the command line, for what this browser or this site cannot do. */
function CommandLine() {
  return <p>{t('film.command')} <code>tonearm credits film.mp4</code></p>;
}

/** Chooses a file by a click, with the keyboard, or by dropping it. */
function Chooser() {
  const [isOver, setOver] = useState(false);
  const choose = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file) listenTo(file);
  };
  return (
    <label class="drop" data-over={isOver || undefined}
      onDragOver={(event) => { event.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)}
      onDrop={(event) => { event.preventDefault(); setOver(false); choose(event.dataTransfer?.files); }}>
      <input class="unseen" type="file" accept={ACCEPTED}
        onChange={(event) => { choose(event.currentTarget.files); event.currentTarget.value = ''; }} />
      <span class="button primary">{t(film.value ? 'film.another' : 'film.choose')}</span>
      <span>{t('film.drop')}</span>
      <small>{t('film.formats')}</small>
    </label>
  );
}

const minutesOf = (seconds: number) => numberOf(seconds / 60, { most: 0 });

/** How much of the film was listened to. */
function Progress({ of }: { of: Film }) {
  const total_s = of.head?.duration_s ?? null;
  const isKnown = total_s !== null && total_s > 0;
  return (
    <section class="panel" aria-labelledby="listening">
      <h2 id="listening"><bdi>{shortLine(of.name, 80)}</bdi></h2>
      <progress class="heard" aria-labelledby="listening" {...(isKnown ? { value: Math.min(of.heard_s, total_s), max: total_s } : {})} />
      <p>{isKnown ? t('film.heardOf', { heard: minutesOf(of.heard_s), total: minutesOf(total_s) }) : t('film.heard', { heard: minutesOf(of.heard_s) })}</p>
      <div class="buttons"><button type="button" onClick={cancelListening}><Icon name="close" /> {t('film.cancel')}</button></div>
    </section>
  );
}

function ProblemNotice({ of }: { of: Problem }) {
  const instead = ['notMedia', 'codec', 'noDecoder', 'failed'].includes(of.name);
  return (
    <div class="banner" role="alert" data-problem={of.name}>
      <p>{t(`film.problem.${of.name}`, { at: filmClock(of.at_s), detail: shortLine(of.detail, 160) })}</p>
      {instead && <CommandLine />}
    </div>
  );
}

function StoppedNotice({ error }: { error: unknown }) {
  return (
    <div class="banner stack" role="alert">
      <p>{explain(error)}</p>
      <div class="buttons"><button type="button" onClick={resumeListening}>{t('film.resume')}</button></div>
    </div>
  );
}

/** What screen readers announce: only when the state changes. */
function stateText({ state, name, tracks, heard_s, problem, wait_s }: Film): string {
  const file = shortLine(name, 80);
  if (wait_s > 0) return t('film.wait', { count: wait_s });
  if (state === 'listening') return t('film.listening', { name: file });
  if (state === 'canceled') return t('film.canceled', { at: filmClock(heard_s) });
  if (state === 'stopped' || (problem && heard_s === 0)) return '';
  return tracks.length > 0 ? t('film.found', { count: tracks.length, name: file }) : t('film.none', { name: file });
}

function Listened({ of }: { of: Film }) {
  const { head, problem, state } = of;
  const others = (head?.audioTracks ?? 1) - 1;
  return (
    <>
      <p class={state === 'listening' && of.wait_s === 0 ? 'state unseen' : 'state'} role="status" data-state={state}>{stateText(of)}</p>
      {(state === 'listening' || state === 'stopped') && <Progress of={of} />}
      {problem && <ProblemNotice of={problem} />}
      {state === 'stopped' && <StoppedNotice error={of.error} />}
      {others > 0 && <p class="banner">{t('film.otherTracks', { number: head?.number ?? 1, count: others + 1 })}</p>}
      {of.tracks.length > 0 && <FilmResults of={of} />}
    </>
  );
}

export function FilmView() {
  const now = film.value;
  useEffect(() => {
    // A file that misses the box would replace the page.
    const ignore = (event: DragEvent) => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault(); };
    window.addEventListener('dragover', ignore);
    window.addEventListener('drop', ignore);
    return () => {
      window.removeEventListener('dragover', ignore);
      window.removeEventListener('drop', ignore);
    };
  }, []);
  return (
    <div class="page film-page">
      <header class="collection-head">
        <h1>{t('film.title')}</h1>
        <p class="lead">{t('film.lead')}</p>
        <p class="lead">{t('film.private')}</p>
      </header>
      {!isFilmBuilt && <div class="banner stack"><p>{t('film.unbuilt')}</p><CommandLine /></div>}
      {isFilmBuilt && now?.state !== 'listening' && <Chooser />}
      {now && <Listened of={now} />}
    </div>
  );
}
