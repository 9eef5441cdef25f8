// The words of the page, in the language of the address (`lang`), of this device, or of the browser. texts/*.json

import { signal } from '@preact/signals';
import english from '../../texts/en.json';
import { remember, remembered } from '../calls/storage';

export type TextKey = keyof typeof english;
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

let texts: Record<string, string> = english;
export const language = signal<Language>('en');

const isLanguage = (name: string | null | undefined): name is Language => name === 'en' || name === 'de';

/** Before the first view is drawn. */
export async function chooseLanguage() {
  const asked = new URLSearchParams(location.search).get('lang');
  const candidates = [asked, remembered('language'), ...navigator.languages.map((name) => name.slice(0, 2))];
  await setLanguage(candidates.find(isLanguage) ?? 'en');
}

export async function setLanguage(name: Language) {
  texts = name === 'en' ? english : (await import('../../texts/de.json')).default;
  document.documentElement.lang = name;
  language.value = name;
}

export async function pickLanguage(name: Language) {
  remember('language', name);
  await setLanguage(name);
}

/** A text with `{name}` filled in. With `count`, `key.one` stands for one. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const shown = language.value; // whoever shows a text is drawn again in another language
  const form = values.count === 1 && `${key}.one` in texts ? `${key}.one` : key;
  return (texts[form] ?? english[key]).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? value.toLocaleString(shown) : value;
  });
}

/** A text for a value of the API, or the value itself where there is none. */
export function named(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in english ? t(key as TextKey) : value;
}

export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}

/** The length of a track: short effects with tenths. */
export function lengthOf(seconds: number): string {
  if (seconds >= 9.95) return clock(Math.round(seconds));
  return `${seconds.toLocaleString(language.value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} s`;
}

export function dateOf(time: string): string {
  return new Date(time).toLocaleDateString(language.value, { dateStyle: 'medium' });
}

export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** step).toLocaleString(language.value, { maximumFractionDigits: 1 })} ${units[step]}`;
}
