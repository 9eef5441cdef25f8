// Small track components that several views use.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { savePreference, loadPreference } from '../calls/storage';
import type { Track } from '../calls/types';
import { peaksOf } from '../player/peaks';
import { Icon } from '../shell/icons';
import { copy } from '../shell/notices';
import { valueLabel, t } from '../shell/texts';
import { CREDIT_FORMATS, creditAs, freedomOf, licenseSummary, safeUrl } from './license';
import type { CreditFormat, Credited, Licensed } from './license';

/** The license summary with a link to the license text and its verification status. */
export function LicenseBadge({ of }: { of: Licensed }) {
  const freedom = freedomOf(of);
  const url = safeUrl(of.license.url);
  return (
    <span class="license" data-freedom={freedom}>
      <Icon name={freedom} />
      <span class="license-words">{licenseSummary(of)}</span>
      <span class="license-name">
        {url ? <a href={url} target="_blank" rel="license noopener noreferrer">{of.license.name}</a> : of.license.name}
        <span class="license-status" title={t(`license.status.${of.license.status}.long`)}> · {t(`license.status.${of.license.status}`)}</span>
      </span>
    </span>
  );
}

const preferredFormat = loadPreference('credit');
export const creditFormat = signal<CreditFormat>(CREDIT_FORMATS.find((format) => format === preferredFormat) ?? 'text');

export function pickCreditFormat(format: CreditFormat) {
  creditFormat.value = format;
  savePreference('credit', format);
}

const copyCredit = (of: Credited, format: CreditFormat) =>
  void copy(creditAs(format, of), t('credit.copied', { format: valueLabel('credit.format', format) }));

/** Copies the credit in the selected format. */
export function CopyCredit({ of, compact = false }: { of: Credited; compact?: boolean }) {
  const label = t('credit.copyAs', { format: valueLabel('credit.format', creditFormat.value), title: of.title.slice(0, 80) });
  return (
    <button class={compact ? 'icon' : 'quiet'} type="button" aria-label={label} title={t('credit.copy')} onClick={() => copyCredit(of, creditFormat.value)}>
      <Icon name="copy" />
      {!compact && <span>{t('credit.copy')}</span>}
    </button>
  );
}

/** A copy button for each format. */
export function CreditButtons({ of }: { of: Credited }) {
  return (
    <div class="buttons">
      {CREDIT_FORMATS.map((format) => (
        <button type="button" key={format} onClick={() => copyCredit(of, format)}>
          <Icon name="copy" /> {t('credit.copyIn', { format: valueLabel('credit.format', format) })}
        </button>
      ))}
    </div>
  );
}

/** Selects the format that the copy buttons use. */
export function CreditFormatPicker() {
  return (
    <label class="picker credit-picker">
      <span>{t('credit.as')}</span>
      <select value={creditFormat.value} onChange={(event) => pickCreditFormat(event.currentTarget.value as CreditFormat)}>
        {CREDIT_FORMATS.map((format) => <option key={format} value={format}>{valueLabel('credit.format', format)}</option>)}
      </select>
    </label>
  );
}

function draw(canvas: HTMLCanvasElement, high: Float32Array, low: Float32Array) {
  const bars = Math.max(24, Math.floor(canvas.clientWidth / 4));
  canvas.width = bars * 8; // two canvas pixels per CSS pixel
  canvas.height = canvas.clientHeight * 2;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = getComputedStyle(canvas).color;
  const loudest = Math.max(0.05, ...high);
  for (let bar = 0; bar < bars; bar++) {
    const from = Math.floor((bar * high.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * high.length) / bars));
    let peak = 0;
    for (let i = from; i < to; i++) peak = Math.max(peak, high[i] ?? 0, -(low[i] ?? 0));
    const size = Math.max(3, Math.min(1, peak / loudest) * canvas.height);
    context.fillRect(bar * 8, (canvas.height - size) / 2, 4, size);
  }
}

/** A small waveform, loaded when it scrolls into view. Its space is reserved from the start. */
export function MiniWaveform({ track }: { track: Track }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const target = canvas.current;
    if (!target || !track.peaks_url) return undefined;
    let wanted = true;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      // Waits, so that a list that changes with every keystroke loads no waveforms.
      window.setTimeout(() => void (wanted && peaksOf(track.peaks_url).then((peaks) => peaks && wanted && draw(target, peaks.high, peaks.low))), 250);
    });
    observer.observe(target);
    return () => {
      wanted = false;
      observer.disconnect();
    };
  }, [track.id]);
  return <canvas class="mini-waveform" ref={canvas} aria-hidden="true" />;
}

const FACETS = ['genre', 'mood', 'use', 'instrument', 'sfx'];

/** The tags of a track as links to their pages. */
export function Tags({ track, max = 4 }: { track: Track; max?: number }) {
  const tags = FACETS.flatMap((facet) => (track.tags[facet] ?? []).map((id) => ({ facet, id })));
  return (
    <ul class="tags">
      {tags.slice(0, max).map(({ facet, id }) => (
        <li key={`${facet}/${id}`}><a href={`/tags/${facet}/${encodeURIComponent(id)}`}><bdi>{id.replace(/[-_]/g, ' ')}</bdi></a></li>
      ))}
    </ul>
  );
}
