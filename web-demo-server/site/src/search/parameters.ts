// The parameters of GET /v1/search that choose and order tracks. Generated from the OpenAPI description (tests/docs).

export const PARAMETERS: readonly string[] = [
  'q', 'match', 'kind', 'tempo', 'length', 'energy', 'tone', 'vocals',
  'loops', 'quality', 'genre', 'mood', 'use', 'instrument', 'sfx', 'category',
  'credit', 'license', 'commercial', 'share_alike', 'creator', 'source', 'sort', 'seed',
  'exclude', 'exclude_source', 'exclude_tags', 'playable', 'variants', 'min_bpm', 'max_bpm', 'min_seconds',
  'max_seconds',
];
