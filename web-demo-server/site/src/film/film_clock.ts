// Times of a film: 1:02:05, or 2:05 in the first hour.

import { clock } from '../shell/texts';

export function filmClock(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  return hours === 0 ? clock(seconds) : `${hours}:${clock(seconds % 3600).padStart(5, '0')}`;
}
