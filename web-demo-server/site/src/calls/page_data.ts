// What the server embeds in the HTML of a page: its language and the answers that it was rendered from.

import type { Answer } from './answers';
import type { Language } from '../shell/texts';

export interface PageData {
  language: Language;
  answers: Record<string, Answer>;
  /** The address at which programs reach the API, without a slash at its end. */
  api: string;
}

export const PAGE_DATA_ID = 'page-data';

/** Returns JSON that cannot end the script element that contains it. */
export const embeddedPageData = (data: PageData) => JSON.stringify(data).replace(/</g, '\\u003c');

export function readPageData(): PageData {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as PageData) : { language: 'en', answers: {}, api: '' };
}
