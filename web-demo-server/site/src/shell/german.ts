// The German texts, and the German names of tags and categories, which the API labels in English.

import tags from '../../texts/tags.de.json';
import texts from '../../texts/de.json';

export const GERMAN: Record<string, string> = { ...tags, ...texts };
