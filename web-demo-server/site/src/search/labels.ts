// What filters and their values are called: the catalog's labels where it gave some, the page's texts for the rest.

import { signal } from '@preact/signals';
import type { FacetValue } from '../calls/types';
import { named, t } from '../shell/texts';

const labels = signal<ReadonlyMap<string, string>>(new Map());

export function learn(facets: Record<string, FacetValue[]>) {
  const next = new Map(labels.peek());
  for (const [name, values] of Object.entries(facets)) for (const { id, label } of values) next.set(`${name}/${id}`, label);
  labels.value = next;
}

const BPM = ['min_bpm', 'max_bpm', 'tempo'];
const SECONDS = ['min_seconds', 'max_seconds'];

export function labelOf(name: string, value: string): string {
  if (BPM.includes(name) || SECONDS.includes(name) || name === 'exclude') return t(`filter.value.${name}` as 'filter.value.tempo', { value });
  const own = named(`value.${name}`, value);
  return own !== value ? own : labels.value.get(`${name}/${value}`) ?? value;
}
