// The texts of the site (texts/*.json). The server chooses the language: `lang` of the URL, a cookie, or the browser's.

import { signal } from '@preact/signals';
import english from '../../texts/en.json';

export type TextKey = keyof typeof english;
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;
export const LANGUAGE_COOKIE = 'tonearm_language';

export const isLanguage = (name: string | null | undefined): name is Language => Object.hasOwn(LANGUAGES, name ?? '');

const loaded: Record<Language, Record<string, string>> = { en: { ...english }, de: {} };
export const language = signal<Language>('en');

export const addTexts = (name: Language, texts: Record<string, string>) => Object.assign(loaded[name], texts);

/** Must have loaded the texts of the page's language before the first view is rendered. */
export async function setLanguage(name: Language) {
  if (name === 'de') addTexts('de', (await import('./german')).GERMAN);
  language.value = name;
}

export async function pickLanguage(name: Language) {
  document.cookie = `${LANGUAGE_COOKIE}=${name}; Path=/; Max-Age=31536000; SameSite=Lax`;
  await setLanguage(name);
  document.documentElement.lang = name;
}

/** Returns a text with its `{name}` placeholders replaced. Uses `key.one` if `count` is 1. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  const texts = loaded[language.value]; // reading the signal renders the component again in a new language
  const form = values.count === 1 && `${key}.one` in texts ? `${key}.one` : key;
  return (texts[form] ?? loaded.en[form] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? numberOf(value) : value;
  });
}

/** Returns the label of an API value, or null if this language has none. */
export function labelIn(group: string, value: string): string | null {
  return loaded[language.value][`${group}.${value}`] ?? null;
}

/** Returns the label of an API value, or the value itself if there is none. */
export const valueLabel = (group: string, value: string) => labelIn(group, value) ?? value;

const formats = new Map<string, Intl.NumberFormat>();

export function numberOf(value: number, digits: { least?: number; most?: number } = {}): string {
  const key = `${language.value} ${digits.least} ${digits.most}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language.value, { minimumFractionDigits: digits.least ?? 0, maximumFractionDigits: digits.most ?? 3 });
    formats.set(key, format); // making one takes longer than rendering a row
  }
  return format.format(value);
}

export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}

/** Formats the length of a track. Short ones have tenths of a second. */
export function lengthOf(seconds: number): string {
  if (seconds >= 9.95) return clock(Math.round(seconds));
  return `${numberOf(seconds, { least: 1, most: 1 })} s`;
}

export function dateOf(time: string): string {
  return new Date(time).toLocaleDateString(language.value, { dateStyle: 'medium' });
}

export function momentOf(time: string): string {
  return new Date(time).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'short' });
}

export function sizeOf(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${numberOf(bytes / 1000 ** step, { most: 1 })} ${units[step]}`;
}

const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g;

/** Replaces control characters of a catalog's text and removes bidirectional overrides, as in credit lines (LICENSE-6). */
export const oneLine = (text: string) => text.replace(CONTROLS, ' ').replace(OVERRIDES, '');

/** A catalog's text on one line, shortened at a character boundary (WEB-16). */
export function shortLine(text: string, max = 200): string {
  const line = oneLine(text);
  return line.length <= max ? line : `${[...line.slice(0, max + 1)].slice(0, max - 1).join('')}…`;
}

/** A person's text as part of a file name on any system: letters, digits and hyphens (WEB-42). */
export const fileNameOf = (text: string, otherwise = 'collection') =>
  [...text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')].slice(0, 60).join('').replace(/^-+|-+$/g, '') || otherwise;
