// Random query strings for the catalog's routes: mostly valid, some with an error.

const WORDS = ['rain', 'piano', 'pinao', 'night', 'calm', 'the', 'music', 'hip-hop', 'voice', 'tram', 'menu', 'blip', 'lanterns',
  'water', 'kettle', 'sound', 'a', 'Café', 'nothing-like-it', '"', '*', 'AND', 'dreams', 'study', 'lofi'];
const GENRES = ['ambient', 'lofi', 'hip-hop', 'classical', 'electronic', 'jazz', 'orchestral', 'unheard-of'];
const MOODS = ['calm', 'dreamy', 'hopeful', 'playful', 'romantic', 'triumphant', 'dark', 'unheard-of'];
const USES = ['study', 'background', 'film', 'game', 'jingle', 'vlog', 'unheard-of'];
const INSTRUMENTS = ['piano', 'drums', 'strings', 'saxophone', 'synth', 'brass', 'unheard-of'];
const EFFECTS = ['water', 'kitchen', 'vehicle', 'city', 'voice', 'ui', 'machine', 'footsteps', 'unheard-of'];
const CATEGORIES = ['fx', 'speech', 'fx-o', 'fx-v', 'fx-m', 'fx-el', 'sp-c', 'sp-s', 'music', 'unheard-of'];
const LICENSES = ['cc0', 'cc-by-3.0', 'cc-by-4.0', 'oga-by-3.0', 'oga-by-4.0', 'cc-by-sa-4.0', 'cc-by-nc-3.0', 'cc-by-nc-4.0'];
const SOURCES = ['openshelf.example.org', 'TAPEBOX.example.net', 'fieldnotes.example.org', 'nowhere.example.org'];
const CREATORS = ['Paper Lanterns', 'paper lanterns', 'papre lantern', 'Vesper Loom', 'Cupboard Sounds', 'WILHELMINA TAPE', 'Nobody'];
const FIELDS = ['id', 'title', 'artist', 'tags', 'tags.genre', 'license.id', 'license', 'terms.commercial', 'category.id',
  'credit_line', 'bpm', 'duration_s', 'page_url', 'vocals', 'key', 'loudness_lufs', 'published', 'credit_as', 'content_id',
  'untrusted_fields'];

const VOCALS = ['instrumental', 'vocal'];
const FACETS = ['genre', 'mood', 'use', 'instrument', 'sfx', 'category', 'energy', 'tone', 'license', 'source', 'creator'];

const list = (values) => (draw) => draw.some(values, draw.between(1, 2)).join(',');
const one = (values) => (draw) => draw.of(values);
const boolean = one(['true', 'false']);
const words = (draw) => Array.from({ length: draw.between(1, 3) }, () => draw.of(WORDS)).join(' ');
const range = (draw) => `${draw.between(40, 100)}-${draw.between(90, 180)}`;
const decimal = (high) => (draw) => `${draw.between(0, high)}${draw.of(['', '', '.5', '.125'])}`;
const limit = (draw) => String(draw.weighted([[6, draw.between(1, 5)], [2, draw.between(6, 50)]]));
const cursor = (draw) => String(draw.weighted([[4, draw.between(0, 12)], [1, draw.between(13, 999_999_999)]]));

const BOUNDS = {
  min_bpm: decimal(120),
  max_bpm: decimal(200),
  min_seconds: decimal(100),
  max_seconds: decimal(400),
};

const SEARCH = {
  q: words,
  match: one(['most', 'most', 'all']),
  variants: one(['collapse', 'collapse', 'keep']),
  kind: one(['music', 'sfx', 'sfx']),
  tempo: range,
  length: list(['xs', 's', 'm', 'l']),
  energy: list(['calm', 'steady', 'driving']),
  tone: list(['dark', 'warm', 'bright']),
  loops: one(['0', '1', 'true', 'false']),
  quality: one(['any', 'good']),
  genre: list(GENRES),
  mood: list(MOODS),
  use: list(USES),
  instrument: list(INSTRUMENTS),
  sfx: list(EFFECTS),
  category: list(CATEGORIES),
  credit: one(['any', 'optional', 'requested']),
  license: list(LICENSES),
  commercial: boolean,
  share_alike: boolean,
  creator: one(CREATORS),
  source: list(SOURCES),
  exclude_source: list(SOURCES),
  exclude_tags: list([...GENRES, ...MOODS, ...EFFECTS]),
  playable: boolean,
  vocals: one(VOCALS),
  exclude: (draw) => Array.from({ length: draw.between(1, 3) }, () => words(draw)).join(','),
  ...BOUNDS,
  sort: one(['shuffle', 'relevance', 'quality', 'short', 'long', 'slow', 'fast', 'newest']),
  seed: one(['monday', 'Tuesday_2', '7', '-']),
  limit,
  cursor,
  fields: (draw) => draw.some(FIELDS, draw.between(1, 4)).join(','),
  facets: (draw) => draw.some(FACETS, draw.between(1, 3)).join(','),
};

const NEIGHBORS = {
  limit,
  cursor,
  ...BOUNDS,
  commercial: boolean,
  credit: one(['optional', 'requested']),
  loops_only: boolean,
  vocals: one(VOCALS),
};

const COLLECTION_NEIGHBORS = { ...NEIGHBORS, include_members: boolean };
const META = { q: one(['paper', 'a', 'TAPE', 'zzz', 'ü']), limit: (draw) => String(draw.between(1, 200)) };

const ODD_VALUES = ['', 'tru', '-1', '0', '51', '99999999999', '1e3', 'a,,b', ',', 'x'.repeat(70), 'relevanse', '1-', '90-40',
  'ü', '\u202e', 'A B'];
// Encoded, as in a target.
const ODD_PAIRS = ['unknown=1', 'q=%zz', 'q=%', 'q=%ff', 'q=%C3%28', 'q=%00', '=', '&&', 'limit', 'limt=5', 'Limit=5', '%71=rain',
  'q=a&q=b', 'fields=id,nothing', 'fields=tags.nothing', 'license=cc-by-9.0'];

const encoded = (draw, text) => encodeURIComponent(text).replaceAll('%20', draw.of(['%20', '+']));

function query(draw, parameters, count) {
  const pairs = draw.some(Object.entries(parameters), count).map(([name, value]) => {
    const text = draw.chance(0.03) ? draw.of(ODD_VALUES) : value(draw);
    return `${name}=${encoded(draw, text)}`;
  });
  if (draw.chance(0.05)) pairs.push(draw.of(ODD_PAIRS));
  const order = draw.shuffled(pairs);
  return order.length === 0 ? '' : `?${order.join('&')}`;
}

const SFX_ONLY = ['sfx', 'category'];
const MUSIC_ONLY = ['tempo', 'energy', 'vocals', 'genre', 'mood', 'instrument'];
const FACETS_OF_SFX = FACETS.filter((facet) => !MUSIC_ONLY.includes(facet));
const FACETS_OF_MUSIC = FACETS.filter((facet) => !SFX_ONLY.includes(facet));

/** Uses mostly parameters that can be combined. */
export function searchQuery(draw) {
  if (draw.chance(0.1)) return query(draw, SEARCH, draw.between(0, 6));
  const isSfx = draw.chance(0.4);
  const left = new Set(['kind', ...(isSfx ? MUSIC_ONLY : SFX_ONLY)]);
  left.add('facets');
  if (draw.chance(0.8)) left.add('seed');
  if (draw.chance(0.6)) left.add('cursor');
  const fitting = Object.fromEntries(Object.entries(SEARCH).filter(([name]) => !left.has(name)));
  const rest = query(draw, fitting, draw.weighted([[2, 0], [4, 1], [4, 2], [3, 3], [1, 6]]));
  const sought = rest.includes('q=') && !rest.includes('match=') && draw.chance(0.3) ? `${rest}&match=most` : rest;
  const pairs = sought === '' ? [] : [sought.slice(1)];
  if (isSfx) pairs.push('kind=sfx');
  if (!sought.includes('variants=') && draw.chance(0.2)) pairs.push('variants=collapse');
  if (draw.chance(0.2)) pairs.push(`facets=${draw.some(isSfx ? FACETS_OF_SFX : FACETS_OF_MUSIC, draw.between(1, 3)).join(',')}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

export const metaQuery = (draw) => query(draw, META, draw.between(0, 2));
export const similarQuery = (draw) => query(draw, NEIGHBORS, draw.between(0, 3));

/** `members`: ids of possible members of the collection. */
export function collectionSimilarQuery(draw, members) {
  const text = query(draw, COLLECTION_NEIGHBORS, draw.between(0, 3));
  if (draw.chance(0.6) || members.length === 0) return text;
  return `${text === '' ? '?' : `${text}&`}seeds=${draw.some(members, draw.between(1, 11)).join(',')}`;
}
