// The credits of several tracks in the formats of single credits, in the order and with the headings of CREDIT-3 and CREDIT-7.

import type { Track } from '../calls/types';
import { creditAs, creditOf } from '../tracks/license';
import type { CreditFormat } from '../tracks/license';

const GROUPS = [['required', 'Credit required'], ['requested', 'Credit requested'], ['optional', 'No credit needed']] as const;

const LAYOUTS: Record<CreditFormat, { group: (heading: string, lines: string[]) => string; closing: (text: string) => string; between: string }> = {
  text: { group: (heading, lines) => [heading, ...lines, ''].join('\n'), closing: (text) => `${text}\n`, between: '\n' },
  markdown: { group: (heading, lines) => [`## ${heading}`, '', ...lines.map((line) => `- ${line}`), ''].join('\n'), closing: (text) => `${text}\n`, between: '\n' },
  html: { group: (heading, lines) => [`<h2>${heading}</h2>`, '<ul>', ...lines.map((line) => `<li>${line}</li>`), '</ul>', ''].join('\n'), closing: (text) => `<p>${text}</p>\n`, between: '' },
};

export const FILE_ENDINGS: Record<CreditFormat, string> = { text: 'txt', markdown: 'md', html: 'html' };

/** CREDIT-15 */
function closingOf(tracks: readonly Track[]): string {
  const count = tracks.filter(({ terms }) => !terms.commercial).length;
  return count === 0 ? '' : `${count} of these tracks ${count === 1 ? 'is' : 'are'} for non-commercial use only.`;
}

/** Returns the credits of tracks; an empty text if there are none. */
export function creditsOf(tracks: readonly Track[], format: CreditFormat): string {
  const { group, closing, between } = LAYOUTS[format];
  const parts = GROUPS.flatMap(([attribution, heading]) => {
    const some = tracks.filter((track) => creditOf(track) === attribution);
    return some.length === 0 ? [] : [group(heading, some.map((track) => creditAs(format, track)))];
  });
  const last = closingOf(tracks);
  return [...parts, ...(last ? [closing(last)] : [])].join(between);
}
