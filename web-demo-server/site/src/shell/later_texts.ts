// The texts of the views and dialogs that are loaded later (texts/later.*.json). The German ones are in german.ts.

import later from '../../texts/later.en.json';
import { addTexts, t as translate } from './texts';
import type { TextKey } from './texts';

addTexts('en', later);

export const t = translate as (key: TextKey | keyof typeof later, values?: Record<string, string | number>) => string;
