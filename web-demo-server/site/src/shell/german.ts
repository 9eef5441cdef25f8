// The German texts, and the German names of tags and categories, which the API labels in English.

import texts from '../../texts/de.json';
import later from '../../texts/later.de.json';
import tags from '../../texts/tags.de.json';

export const GERMAN: Record<string, string> = { ...tags, ...texts, ...later };
