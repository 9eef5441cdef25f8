// What the server embeds in the HTML of a page: its language and the answers that it was rendered from.

import type { Answer } from './answers';
import type { Language } from '../shell/texts';

export interface PageData {
  language: Language;
  answers: Record<string, Answer>;
  /** On the page of the API reference: where programs reach the API, without a slash at its end. */
  api?: string;
}

export const PAGE_DATA_ID = 'page-data';

/** Returns JSON without markup and bidirectional overrides. It cannot end the script element that contains it. */
export const embeddedJson = (data: unknown) =>
  JSON.stringify(data).replace(/[<>&\u2028-\u202e\u2066-\u2069]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as PageData) : { language: 'en', answers: {} };
}
