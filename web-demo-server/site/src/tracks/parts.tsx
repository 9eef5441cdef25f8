// Small track components that several views use.

import { signal } from '@preact/signals';
import { savePreference, loadPreference } from '../calls/storage';
import type { Track } from '../calls/types';
import { collectionsWith } from '../collections/selection';
import { TAG_FACETS } from '../search/query';
import { Icon } from '../shell/icons';
import type { IconName } from '../shell/icons';
import { copy } from '../shell/notices';
import { labelIn, shortLine, valueLabel, t } from '../shell/texts';
import { CREDIT_FORMATS, creditAs, creditOf, freedomOf, licenseSummary, safeUrl } from './license';
import type { CreditFormat, Credited, Licensed } from './license';

/** What a license asks, as short badges. */
function badgesOf(of: Licensed): { name: Badge; icon: IconName }[] {
  const { terms } = of;
  const credit = creditOf(of);
  return [
    terms.commercial ? { name: 'commercial', icon: 'free' } : { name: 'noncommercial', icon: 'noncommercial' },
    ...(credit === 'optional' ? [] : [{ name: credit, icon: 'credit' } as const]),
    ...(terms.share_alike ? [{ name: 'shareAlike', icon: 'sharealike' } as const] : []),
  ];
}

type Badge = 'commercial' | 'noncommercial' | 'required' | 'requested' | 'shareAlike';

/** Badges and the name of the license. The sentence is for screen readers, and is shown on focus and under the pointer. */
export function LicenseBadge({ of }: { of: Licensed }) {
  const url = safeUrl(of.license.url);
  const isVerified = of.license.status === 'verified';
  const name = <>{of.license.name}{isVerified && <span class="verified" title={t('license.status.verified.long')}> <Icon name="check" /><span class="unseen">{t('license.status.verified')}</span></span>}</>;
  return (
    <div class="license" data-freedom={freedomOf(of)}>
      <span class="badges" aria-hidden="true">
        {badgesOf(of).map(({ name: badge, icon }) => <span class="badge" data-badge={badge} key={badge}><Icon name={icon} />{t(`badge.${badge}`)}</span>)}
      </span>
      <span class="license-name">{url ? <a href={url} target="_blank" rel="license noopener noreferrer">{name}</a> : name}</span>
      <span class="license-words">{licenseSummary(of)}</span>
    </div>
  );
}

/** The license in a sentence, with its meaning as an icon and a color. */
export function LicenseSentence({ of }: { of: Licensed }) {
  const freedom = freedomOf(of);
  const url = safeUrl(of.license.url);
  return (
    <p class="license-sentence" data-freedom={freedom}>
      <Icon name={freedom} />
      <span>{licenseSummary(of)} · {url ? <a href={url} target="_blank" rel="license noopener noreferrer">{of.license.name}</a> : of.license.name}</span>
    </p>
  );
}

/** Says in which of the person's collections a track is (WEB-41). */
export function CollectedMark({ track }: { track: Track }) {
  const names = collectionsWith(track.id);
  if (names.length === 0) return null;
  const text = t('collection.in', { names: names.map((name) => shortLine(name, 40)).join(', ') });
  return <span class="collected" title={text}><Icon name="collected" /><span class="unseen">{text}</span></span>;
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
  const label = t('credit.copyAs', { format: valueLabel('credit.format', creditFormat.value), title: shortLine(of.title, 80) });
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

/** The tags of a track as links to their pages. */
export function Tags({ track, max = 4 }: { track: Track; max?: number }) {
  const tags = TAG_FACETS.flatMap((facet) => (track.tags[facet] ?? []).map((id) => ({ facet, id })));
  return (
    <ul class="tags">
      {tags.slice(0, max).map(({ facet, id }) => (
        <li key={`${facet}/${id}`}><a href={`/tags/${facet}/${encodeURIComponent(id)}`}><bdi>{labelIn(`value.${facet}`, id) ?? id.replace(/[-_]/g, ' ')}</bdi></a></li>
      ))}
    </ul>
  );
}
