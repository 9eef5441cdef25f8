// The texts of the page (texts/*.json), in the language of the URL (`lang`), of the saved preference, or of the browser.

import { signal } from '@preact/signals';
import english from '../../texts/en.json';
import { savePreference, loadPreference } from '../calls/storage';

export type TextKey = keyof typeof english;
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

let texts: Record<string, string> = english;
export const language = signal<Language>('en');

const isLanguage = (name: string | null | undefined): name is Language => name === 'en' || name === 'de';

/** Must be called before the first view is rendered. */
export async function chooseLanguage() {
  const requested = new URLSearchParams(location.search).get('lang');
  const candidates = [requested, loadPreference('language'), ...navigator.languages.map((name) => name.slice(0, 2))];
  await setLanguage(candidates.find(isLanguage) ?? 'en');
}

export async function setLanguage(name: Language) {
  texts = name === 'en' ? english : (await import('../../texts/de.json')).default;
  document.documentElement.lang = name;
  language.value = name;
}

export async function pickLanguage(name: Language) {
  savePreference('language', name);
  await setLanguage(name);
}

/** Returns a text with its `{name}` placeholders replaced. Uses `key.one` if `count` is 1. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const shown = language.value; // subscribes the component, so that it is rendered again in a new language
  const form = values.count === 1 && `${key}.one` in texts ? `${key}.one` : key;
  return (texts[form] ?? english[key]).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? value.toLocaleString(shown) : value;
  });
}

/** Returns the label of an API value, or the value itself if there is none. */
export function valueLabel(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in english ? t(key as TextKey) : value;
}

export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}

/** Formats the length of a track. Short ones have tenths of a second. */
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
