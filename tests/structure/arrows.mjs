// The rooms of the tree and the arrows between them. A room is a folder with C++ in it; a folder within a folder is a room
// of its own. A row says which rooms the files of a room may include, directly or through what they include; a room always
// includes itself. Rows stand from the inside out: a row names only rows above it, so arrows make no circle.

/** Public headers, which lie in one folder (core/include) and speak for several rooms. */
export const PUBLIC_HEADERS = {
  'tonearm/text': ['ascii', 'dates', 'edits', 'http_fields', 'terminal'].map((name) => `tonearm/${name}.h`),
  'tonearm/values': [
    ...['calls', 'flush_report', 'http', 'message', 'ports', 'result', 'service_counts', 'signature'].map((name) => `tonearm/${name}.h`),
  ],
  'tonearm/track': ['tonearm/license.h', 'tonearm/track.h'],
  'tonearm/sql': ['tonearm/sql.h'],
  'tonearm/sqlite': ['tonearm/sqlite.h'],
  'tonearm/snapshot': ['tonearm/paged_file.h', 'tonearm/read_plan.h', 'tonearm/snapshot_file.h'],
  'tonearm/sqlite_snapshot': ['tonearm/sqlite_snapshot.h'],
  'tonearm/catalog': ['tonearm/catalog.h', 'tonearm/search.h', 'tonearm/snapshot_writer.h'],
  'tonearm/route_templates': ['tonearm/route_templates.h'],
  'tonearm/service': ['tonearm/service.h'],
  'tonearm/shards': ['tonearm/shard_service.h'],
  'tonearm/catalog_reader': ['tonearm/catalog_reader.h'],
};

// Sets of rooms that several rows share.
const plain = ['tonearm/text', 'tonearm/values', 'tonearm/track'];
const catalogHeaders = [...plain, 'tonearm/catalog'];
const sqliteHeaders = ['tonearm/sql', 'tonearm/sqlite'];
const snapshotHeaders = [...catalogHeaders, ...sqliteHeaders, 'tonearm/snapshot', 'tonearm/sqlite_snapshot'];
const serviceHeaders = [...catalogHeaders, 'tonearm/sql', 'tonearm/service'];
const text = ['tonearm/text', 'core/src/text', 'core/src/json'];
const catalogRooms = ['storage', 'index', 'query'].map((room) => `core/src/catalog/${room}`);
const builderValues = ['tonearm/text', 'core/src/text', 'catalog-builder/src/runtime', 'catalog-builder/src/values'];
const builderLines = [...builderValues, 'catalog-builder/src/input'];
const builderTracks = [...builderLines, 'core/src/domain', 'catalog-builder/src/canonical', 'catalog-builder/src/report'];

/** Room -> the rooms it may reach. */
export const ARROWS = {
  'tonearm/text': [],
  'tonearm/values': [],
  'tonearm/track': [],
  'tonearm/sql': [],
  'tonearm/sqlite': ['tonearm/sql'],
  'tonearm/snapshot': ['tonearm/values'],
  'tonearm/sqlite_snapshot': ['tonearm/values', ...sqliteHeaders, 'tonearm/snapshot'],
  'tonearm/catalog': plain,
  'tonearm/route_templates': [],
  'tonearm/service': [...catalogHeaders, 'tonearm/sql'],
  'tonearm/shards': [...catalogHeaders, 'tonearm/sql'],
  'tonearm/catalog_reader': catalogHeaders,

  'core/src/text': ['tonearm/text', 'tonearm/values'],
  'core/src/json': ['tonearm/text', 'core/src/text'],
  'core/src/domain': ['core/src/text', ...plain],
  'core/src/sql': ['tonearm/text', 'tonearm/values', 'core/src/text', ...sqliteHeaders],
  'core/src/state': [...text, 'core/src/domain', ...plain, 'tonearm/sql'],
  'core/src/table': [...text, 'core/src/domain', 'core/src/state', ...catalogHeaders, 'tonearm/sql'],
  'core/src/catalog/storage': [...plain, ...sqliteHeaders, 'tonearm/snapshot'],
  'core/src/catalog/index': [
    ...[...text, 'core/src/table', 'core/src/catalog/storage'],
    ...[...catalogHeaders, ...sqliteHeaders, 'tonearm/snapshot'],
  ],
  'core/src/catalog/query': [...text, 'core/src/catalog/index', 'core/src/catalog/storage', ...snapshotHeaders],
  'core/src/catalog/build': [...text, 'core/src/domain', 'core/src/table', ...catalogRooms, ...snapshotHeaders],
  'core/src/catalog': [...catalogRooms, ...snapshotHeaders],
  // It knows state by the types that describe answers alone.
  'core/src/mcp': [...text, 'core/src/domain', 'core/src/state', 'core/src/table', ...catalogHeaders, 'tonearm/sql'],
  'core/src/api': [...text, 'core/src/domain', 'core/src/state', 'core/src/table', 'core/src/mcp', ...serviceHeaders, 'tonearm/catalog_reader', 'tonearm/route_templates'],

  'core/src/shards': [
    ...[...text, 'core/src/domain', 'core/src/sql', 'core/src/state', 'core/src/table', 'core/src/mcp', 'core/src/api'],
    ...[...catalogHeaders, ...sqliteHeaders, 'tonearm/shards'],
  ],

  'host-native/src/monitoring': ['tonearm/text', 'tonearm/route_templates', 'tonearm/values'],
  'settings/include/settings': [],
  'settings/src': ['tonearm/text', 'settings/include/settings'],
  'host-native/src/client': ['tonearm/text', 'tonearm/values'],
  'host-native/src/system': ['tonearm/text', 'tonearm/values'],
  'host-native/src/embedded_state': ['tonearm/values', ...sqliteHeaders],
  'host-native/src/postgresql': ['tonearm/text', 'tonearm/sql', 'host-native/src/system'],
  'host-native/src/snapshot': [...snapshotHeaders, 'host-native/src/monitoring'],
  'host-native/src/http': [...serviceHeaders, 'host-native/src/monitoring', 'host-native/src/system'],
  'host-native/src/admin': [
    ...['tonearm/text', 'tonearm/values', 'host-native/src/client', 'host-native/src/system', 'settings/include/settings'],
  ],
  'host-native/src/options': [
    ...[...serviceHeaders, 'settings/include/settings'],
    ...['http', 'monitoring', 'postgresql', 'system'].map((room) => `host-native/src/${room}`),
  ],
  'host-native/src/server': [
    ...[...serviceHeaders, ...snapshotHeaders],
    ...['embedded_state', 'http', 'monitoring', 'options', 'postgresql', 'snapshot', 'system'].map((room) => `host-native/src/${room}`),
    'settings/include/settings',
  ],
  'web-demo-server/src/messages': ['tonearm/text', 'tonearm/values', 'core/src/text', 'core/src/json'],
  'web-demo-server/src/upstream': [
    ...['tonearm/text', 'tonearm/values', 'core/src/text', 'core/src/json', 'web-demo-server/src/messages'],
    ...['host-native/src/client', 'host-native/src/system'],
  ],
  'web-demo-server/src/people': ['tonearm/text', 'tonearm/sql'],
  'web-demo-server/src/visitors': [],
  'web-demo-server/src/files': ['tonearm/text', 'tonearm/values'],
  'web-demo-server/src/html': [...text, 'tonearm/values', 'web-demo-server/src/messages'],
  'web-demo-server/src/pages': [
    ...[...text, 'tonearm/values', 'host-native/src/client'],
    ...['files', 'html', 'messages', 'upstream'].map((room) => `web-demo-server/src/${room}`),
  ],
  'web-demo-server/src/routes': [
    ...[...text, ...serviceHeaders],
    ...['client', 'http', 'monitoring', 'system'].map((room) => `host-native/src/${room}`),
    ...['files', 'html', 'messages', 'pages', 'people', 'upstream', 'visitors'].map((room) => `web-demo-server/src/${room}`),
  ],
  'web-demo-server/src/program': [
    ...[...serviceHeaders, ...sqliteHeaders, 'settings/include/settings'],
    ...['client', 'embedded_state', 'http', 'monitoring', 'options', 'postgresql', 'system'].map((room) => `host-native/src/${room}`),
    ...['files', 'html', 'messages', 'pages', 'people', 'routes', 'upstream', 'visitors'].map((room) => `web-demo-server/src/${room}`),
  ],
  'host-wasm/bridge': [...snapshotHeaders, 'tonearm/shards', 'tonearm/catalog_reader'],
  'catalog-builder/src/runtime': [],
  'catalog-builder/src/values': ['tonearm/text', 'core/src/text'],
  'catalog-builder/src/input': [...builderValues, ...sqliteHeaders],
  'catalog-builder/src/canonical': [...builderLines, ...plain],
  'catalog-builder/src/report': [...text, ...plain, 'core/src/domain', 'catalog-builder/src/canonical'],
  'catalog-builder/src/mapping': [...builderTracks, ...plain],
  'catalog-builder/src/cleaning': [...builderTracks, ...plain, 'catalog-builder/src/mapping'],
  'catalog-builder/src/intake': [...builderTracks, ...plain, 'catalog-builder/src/cleaning'],
  'catalog-builder/src/audio': [...builderValues, ...plain],
  'catalog-builder/src/folder': [...builderTracks, ...plain, 'catalog-builder/src/mapping', 'catalog-builder/src/audio', 'core/src/json'],
  'catalog-builder/src/similar': ['core/src/text', ...plain, 'catalog-builder/src/runtime', 'catalog-builder/src/canonical'],
  'catalog-builder/src/snapshot': [
    ...[...text, ...snapshotHeaders],
    ...['host-native/src/snapshot', 'catalog-builder/src/runtime'],
  ],
  'catalog-builder/src/links': [...builderTracks, ...plain, 'core/src/json', 'catalog-builder/src/snapshot'],
  'catalog-builder/src/review': [
    ...[...builderLines, 'core/src/json', 'core/src/domain', 'core/src/table', 'core/src/state'],
    ...[...snapshotHeaders, 'host-native/src/snapshot', 'host-native/src/monitoring', 'host-native/src/system'],
  ],
  'catalog-builder/src/demo': [
    'catalog-builder/src/audio',
    ...builderTracks,
    ...snapshotHeaders,
    'catalog-builder/src/folder',
    'catalog-builder/src/snapshot',
  ],
  'catalog-builder/src/program': [
    ...builderTracks,
    ...snapshotHeaders,
    'catalog-builder/src/mapping',
    'catalog-builder/src/cleaning',
    'catalog-builder/src/intake',
    'catalog-builder/src/audio',
    'catalog-builder/src/folder',
    'catalog-builder/src/similar',
    'catalog-builder/src/snapshot',
    'catalog-builder/src/links',
    'catalog-builder/src/review',
    'core/src/json',
    'core/src/table',
    'core/src/state',
    'host-native/src/monitoring',
    'host-native/src/snapshot',
    'catalog-builder/src/demo',
    'host-native/src/system',
    'settings/include/settings',
  ],
};

/** Arrows that stand against the rows, from a room or from one file, and why. One that is no longer needed is a violation. */
export const EXCEPTIONS = [];

/** Circles of TypeScript imports that still stand, and why. One that is gone is a violation. */
export const IMPORT_EXCEPTIONS = [];

/** Rooms that have no README.md yet. */
export const UNEXPLAINED = [];
