// Labels of filters and their values: from the page's texts, else from the catalog.

import { signal } from '@preact/signals';
import type { FacetValue } from '../calls/types';
import { address } from '../shell/router';
import { clock, labelIn, t } from '../shell/texts';
import { kindOf, searchOf } from './query';

const labels = signal<ReadonlyMap<string, string>>(new Map());

export const forgetLabels = () => { labels.value = new Map(); };

export function cacheLabels(facets: Record<string, FacetValue[]>) {
  const next = new Map(labels.peek());
  for (const [name, values] of Object.entries(facets)) for (const { id, label } of values) next.set(`${name}/${id}`, label);
  labels.value = next;
}

const VERBATIM = ['min_bpm', 'max_bpm', 'tempo', 'exclude', 'exclude_source', 'exclude_tags'];
const SECONDS = ['min_seconds', 'max_seconds'];

/** `known`: the catalog's label, if the caller has it. */
export function labelOf(name: string, value: string, known?: string): string {
  if (SECONDS.includes(name)) return t(`filter.value.${name}` as 'filter.value.min_seconds', { value: clock(Number(value)) });
  if (VERBATIM.includes(name)) return t(`filter.value.${name}` as 'filter.value.tempo', { value });
  const group = name === 'length' ? `length.${kindOf(searchOf(address.value))}` : `value.${name}`;
  return labelIn(group, value) ?? known ?? labels.value.get(`${name}/${value}`) ?? value;
}
