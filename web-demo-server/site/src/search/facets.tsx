// The filters next to the results, with current counts.

import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { FacetValue, Kind } from '../calls/types';
import { clock, numberOf, valueLabel, t } from '../shell/texts';
import { labelOf } from './labels';
import { withChanges, COUNTED_FACETS, kindOf, withToggled, valuesOf } from './query';
import { counts, shown } from './results';

export type Change = (query: URLSearchParams) => void;
interface Props {
  query: URLSearchParams;
  change: Change;
}

const FEW = 7;
const OPEN = ['genre', 'mood', 'category', 'sfx'];
const LENGTHS = ['xs', 's', 'm', 'l'];

function Section({ name, open = false, children }: { name: string; open?: boolean; children: ComponentChildren }) {
  return (
    <details class="facet" open={open}>
      <summary>{name === 'more' ? t('filter.more.title') : valueLabel('filter', name)}</summary>
      {children}
    </details>
  );
}

interface ValueProps extends Props {
  name: string;
  value: string;
  count?: number | undefined;
}

function Value({ query, change, name, value, count }: ValueProps) {
  const isSelected = valuesOf(query, name).includes(value);
  return (
    <label class="facet-value">
      <input type="checkbox" checked={isSelected} onChange={() => change(withToggled(query, name, value))} />
      <span class="facet-label"><bdi>{labelOf(name, value)}</bdi></span>
      {count !== undefined && <span class="count">{numberOf(count)}</span>}
    </label>
  );
}

/** Keeps selected values in the list even if no track matches them any more. Drops those that all results have. */
function offeredOf(query: URLSearchParams, name: string, values: readonly FacetValue[]): FacetValue[] {
  const selected = valuesOf(query, name);
  const missing = selected.filter((id) => !values.some((value) => value.id === id));
  const total = shown.value?.total ?? 0;
  return [...missing.map((id) => ({ id, label: id, count: 0 })), ...values.filter(({ id, count }) => selected.includes(id) || total === 0 || count < total)];
}

function Facet({ query, change, name }: Props & { name: string }) {
  const [all, setAll] = useState(false);
  const values = offeredOf(query, name, counts.value[name] ?? []);
  if (values.length === 0) return null;
  const isOpen = OPEN.includes(name) || valuesOf(query, name).length > 0;
  return (
    <Section name={name} open={isOpen}>
      {values.slice(0, all ? undefined : FEW).map(({ id, count }) => (
        <Value key={id} query={query} change={change} name={name} value={id} count={count} />
      ))}
      {values.length > FEW && (
        <button class="link" type="button" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('filter.fewer') : t('filter.more', { count: values.length - FEW })}
        </button>
      )}
    </Section>
  );
}

function Switch({ query, change, name, on }: Props & { name: string; on: string }) {
  return (
    <label class="facet-value">
      <input type="checkbox" checked={query.get(name) === on} onChange={(event) => change(withChanges(query, { [name]: event.currentTarget.checked ? on : null }))} />
      <span class="facet-label">{valueLabel(`value.${name}`, on)}</span>
    </label>
  );
}

/** Reads a number, or minutes and seconds as in 3:00. Returns null for anything else. */
function boundOf(text: string): string | null {
  const [, minutes, rest = ''] = /^(?:(\d{1,4}):)?(\d{1,6})$/.exec(text.trim()) ?? [];
  return rest ? String(Number(minutes ?? 0) * 60 + Number(rest)) : null;
}

function Bound({ query, change, name, label }: Props & { name: string; label: string }) {
  const isTime = name.endsWith('_seconds');
  const value = query.get(name) ?? '';
  return (
    <label class="bound">
      <span>{label}</span>
      <input type="text" inputMode={isTime ? 'text' : 'numeric'} maxLength={8} value={isTime && value ? clock(Number(value)) : value}
        onChange={(event) => change(withChanges(query, { [name]: boundOf(event.currentTarget.value) }))} />
    </label>
  );
}

function Bounds({ query, change, of }: Props & { of: 'bpm' | 'seconds' }) {
  return (
    <div class="bounds">
      <Bound query={query} change={change} name={`min_${of}`} label={t('filter.from')} />
      <Bound query={query} change={change} name={`max_${of}`} label={t('filter.to')} />
      <span class="unit">{t(`filter.unit.${of}`)}</span>
    </div>
  );
}

function Exclude({ query, change }: Props) {
  return (
    <label class="bound whole">
      <span class="unseen">{t('filter.exclude')}</span>
      <input type="text" maxLength={200} placeholder={t('filter.exclude.hint')} value={query.get('exclude') ?? ''}
        onChange={(event) => change(withChanges(query, { exclude: event.currentTarget.value.trim() || null }))} />
    </label>
  );
}

export function Facets({ query, change }: Props) {
  const kind: Kind = kindOf(query);
  const props = { query, change };
  return (
    <div class="facets" data-waiting={Object.keys(counts.value).length === 0 || undefined}>
      <Section name="rights" open>
        <Switch {...props} name="playable" on="true" />
        <Switch {...props} name="commercial" on="true" />
        <Switch {...props} name="credit" on="optional" />
        <Switch {...props} name="share_alike" on="false" />
      </Section>
      {COUNTED_FACETS[kind].slice(0, 2).map((name) => <Facet key={`${kind}/${name}`} {...props} name={name} />)}
      <Section name="length" open={query.has('length') || query.has('min_seconds') || query.has('max_seconds')}>
        {LENGTHS.map((value) => (
          <label class="facet-value" key={value}>
            <input type="checkbox" checked={valuesOf(query, 'length').includes(value)} onChange={() => change(withToggled(query, 'length', value))} />
            <span class="facet-label">{t(`length.${kind}.${value}` as 'length.music.xs')}</span>
          </label>
        ))}
        <Bounds {...props} of="seconds" />
      </Section>
      <Section name="tempo" open={query.has('min_bpm') || query.has('max_bpm')}><Bounds {...props} of="bpm" /></Section>
      {COUNTED_FACETS[kind].slice(2).map((name) => <Facet key={`${kind}/${name}`} {...props} name={name} />)}
      <Section name="more" open={query.has('exclude') || query.has('loops') || query.has('quality') || query.has('variants')}>
        <Switch {...props} name="loops" on="true" />
        <Switch {...props} name="quality" on="good" />
        <Switch {...props} name="variants" on="collapse" />
        <Exclude {...props} />
      </Section>
    </div>
  );
}
