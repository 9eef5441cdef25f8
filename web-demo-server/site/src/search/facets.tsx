// The filters next to the results, with current counts.

import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { FacetValue, Kind } from '../calls/types';
import { clock, numberOf, t, valueLabel } from '../shell/texts';
import { labelOf } from './labels';
import { COUNTED_FACETS, kindOf, OPTIONS, valuesOf, withChanges, withToggled } from './query';
import type { OptionGroup } from './query';
import { counts, openGroup, shown, totals } from './results';

export type Change = (query: URLSearchParams) => void;
interface Props {
  query: URLSearchParams;
  change: Change;
}

const FEW = 7;
const OPEN = ['genre', 'mood', 'category', 'sfx'];

function Section({ name, open = false, opened, children }: { name: string; open?: boolean; opened?: () => void; children: ComponentChildren }) {
  return (
    <details class="facet" open={open} onToggle={(event) => event.currentTarget.open && opened?.()}>
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

/** Whether a value of a filter narrows the results. One more of the selected values adds results. */
const isUseful = (count: number | undefined, selected: readonly string[], total: number) =>
  count === undefined || total === 0 || (count > 0 && (selected.length > 0 || count < total));

/** Keeps selected values in the list even if no track matches them any more. */
function offeredOf(query: URLSearchParams, name: string, values: readonly FacetValue[]): FacetValue[] {
  const selected = valuesOf(query, name);
  const missing = selected.filter((id) => !values.some((value) => value.id === id));
  const total = shown.value?.total ?? 0;
  return [...missing.map((id) => ({ id, label: id, count: 0 })), ...values.filter(({ id, count }) => selected.includes(id) || isUseful(count, selected, total))];
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

/** Filters with fixed values, without those that change nothing, and what else is in their section. */
function Options({ query, change, group, open = false, children }: Props & { group: OptionGroup; open?: boolean; children?: ComponentChildren }) {
  const offered = OPTIONS[group].filter(([name, value]) =>
    valuesOf(query, name).includes(value) || isUseful(totals.value[`${name}=${value}`], valuesOf(query, name), shown.value?.total ?? 0));
  if (offered.length === 0 && !children) return null;
  return (
    <Section name={group} open={open || OPTIONS[group].some(([name]) => query.has(name))} opened={() => openGroup(group)}>
      {offered.map(([name, value]) => <Value key={`${name}=${value}`} query={query} change={change} name={name} value={value} count={totals.value[`${name}=${value}`]} />)}
      {children}
    </Section>
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
      <Options {...props} group="rights" open />
      {COUNTED_FACETS[kind].slice(0, 2).map((name) => <Facet key={`${kind}/${name}`} {...props} name={name} />)}
      <Options {...props} group="length" open={query.has('min_seconds') || query.has('max_seconds')}><Bounds {...props} of="seconds" /></Options>
      <Section name="tempo" open={query.has('min_bpm') || query.has('max_bpm')}><Bounds {...props} of="bpm" /></Section>
      {COUNTED_FACETS[kind].slice(2).map((name) => <Facet key={`${kind}/${name}`} {...props} name={name} />)}
      <Options {...props} group="more" open={query.has('exclude')}><Exclude {...props} /></Options>
    </div>
  );
}
