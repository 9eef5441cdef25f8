// License summaries, and credit lines in three formats, from the track's own fields. Nothing about a license is assumed.

import type { Attribution, License, Terms, Track } from '../calls/types';
import { oneLine, t } from '../shell/texts';

export interface Licensed {
  license: License;
  terms: Terms;
  attribution: Attribution;
}

/** The stricter of what the license and the creator ask. */
export const creditOf = ({ terms, attribution }: Licensed): Attribution => (terms.credit === 'required' ? 'required' : attribution);

/** The icon next to the license summary. */
export type Freedom = 'free' | 'credit' | 'noncommercial' | 'sharealike';

export function freedomOf(of: Licensed): Freedom {
  if (!of.terms.commercial) return 'noncommercial';
  if (of.terms.share_alike) return 'sharealike';
  return creditOf(of) === 'required' ? 'credit' : 'free';
}

/** "Free for commercial use, credit required" */
export function licenseSummary(of: Licensed): string {
  const { terms } = of;
  const use = t(terms.commercial ? 'license.commercial' : 'license.noncommercial');
  const words = `${use}, ${t(`license.credit.${creditOf(of)}`)}`;
  return terms.share_alike ? `${words}, ${t('license.shareAlike')}` : words;
}

/** Returns the URL if it is http or https, else null. */
export function safeUrl(url: string | null | undefined): string | null {
  if (!url) return null;
  try {
    const parsed = new URL(url);
    return parsed.protocol === 'https:' || parsed.protocol === 'http:' ? parsed.href : null;
  } catch {
    return null;
  }
}

export const CREDIT_FORMATS = ['text', 'markdown', 'html'] as const;
export type CreditFormat = (typeof CREDIT_FORMATS)[number];

export type Credited = Pick<Track, 'title' | 'artist' | 'license' | 'source_page' | 'credit_line'>;

const forMarkdown = (text: string) => oneLine(text).replace(/[\\`*_{}[\]()#+\-.!|<>&~@:"']/g, (sign) => (sign === '<' ? '&lt;' : sign === '&' ? '&amp;' : `\\${sign}`));
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const forHtml = (text: string) => oneLine(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
const forLink = (url: string) => url.replace(/[()<>\s]/g, encodeURIComponent).replace(/\(/g, '%28').replace(/\)/g, '%29');

interface Markup {
  text: (text: string) => string;
  link: (text: string, url: string) => string;
}

const MARKUPS: Record<'markdown' | 'html', Markup> = {
  markdown: { text: forMarkdown, link: (text, url) => `[${text}](${forLink(url)})` },
  html: { text: forHtml, link: (text, url) => `<a href="${forHtml(url)}">${text}</a>` },
};

/** Returns the credit of a track in a format, worded as in LICENSE-3 to LICENSE-5. */
export function creditAs(format: CreditFormat, { title, artist, license, source_page: page, credit_line: line }: Credited): string {
  if (format === 'text') return line;
  const { text, link } = MARKUPS[format];
  const source = safeUrl(page);
  const url = safeUrl(license.url);
  const work = title ? text(format === 'html' ? `"${title}"` : title) : 'This work';
  const quoted = format === 'markdown' && title ? `"${work}"` : work;
  const verb = license.id === 'cc0' ? 'is marked with' : 'is licensed under';
  const name = url ? link(text(license.name), url) : text(license.name);
  return `${source ? link(quoted, source) : quoted}${artist ? ` by ${text(artist)}` : ''} ${verb} ${name}.`;
}
