// The corpus of hostile texts, and what programs make of them where a text must fit one line.

import { readFileSync } from 'node:fs';

/** Texts that want to be something else than text: `{against, text}`, where `against` names the reader that they attack. */
export const HOSTILE_TEXTS = JSON.parse(readFileSync(new URL('hostile_texts.json', import.meta.url), 'utf8'));

/** C0, C1 and DEL, line separators, and bidi embeddings, overrides and isolates: what no line for a person contains (PROGRAM-20). */
export const STEERING = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const withoutControls = (text, kept) =>
  text
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(new RegExp(`[${kept}\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u0084\\u0086-\\u009f]`, 'g'), '');

/** The text as one line, without controls and overrides. */
export const oneLine = (text) =>
  withoutControls(text, '')
    .replaceAll('\t', ' ')
    .replaceAll(/ *[\n\v\f\r\u0085\u2028\u2029][ \n\v\f\r\u0085\u2028\u2029]*/g, ' ')
    .replaceAll(/^ +| +$/g, '');

/** The text as it is in a catalog (LINE-9). */
export const inCatalog = (text) => text.replaceAll('\u0000', '');
