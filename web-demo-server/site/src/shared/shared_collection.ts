// A collection that its owner shares by a link: what its answer contains, and its paths.

import { answerOf } from '../calls/answers';
import type { Collection, Item } from '../calls/types';

export type SharedItem = Omit<Item, 'note' | 'added'>;

export interface SharedCollection extends Pick<Collection, 'name' | 'commercial' | 'track_count' | 'updated' | 'credits'> {
  description: string;
  items: SharedItem[];
}

/** The path of the answer. The browser loads it below /site. */
export const sharedPath = (token: string) => `shared/${token}`;
export const sharedAnswer = (token: string) => answerOf<SharedCollection>(sharedPath(token));
