// The modules of the tree and the arrows between them. A module is a folder with C++ files; a folder in a folder is a separate
// module. A row lists the modules that the files of a module may include, directly or indirectly; a module always
// includes itself. Rows are ordered from the inside out: a row names only rows above it, so the arrows form no cycle.

/** Public headers: they share one folder (core/include) and belong to several modules. */
export const PUBLIC_HEADERS = {
  'tonearm/text': ['ascii', 'dates', 'edits', 'http_fields', 'terminal'].map((name) => `tonearm/${name}.h`),
  'tonearm/values': [
    ...['calls', 'flush_report', 'http', 'license_receipt', 'message', 'ports', 'result', 'service_counts', 'shared_answers', 'signature', 'thesaurus', 'unwritten_counts'].map((name) => `tonearm/${name}.h`),
  ],
  'tonearm/track': ['tonearm/license.h', 'tonearm/track.h', 'tonearm/track_reader.h'],
  'tonearm/sql': ['tonearm/sql.h'],
  'tonearm/sqlite': ['tonearm/sqlite.h'],
  'tonearm/snapshot': ['tonearm/block_hashes.h', 'tonearm/paged_file.h', 'tonearm/read_plan.h', 'tonearm/snapshot_file.h'],
  'tonearm/sqlite_snapshot': ['tonearm/snapshot_vfs.h', 'tonearm/sqlite_snapshot.h'],
  'tonearm/catalog': ['tonearm/catalog.h', 'tonearm/catalog_changes.h', 'tonearm/search.h', 'tonearm/snapshot_writer.h'],
  'tonearm/route_templates': ['tonearm/route_templates.h'],
  'tonearm/service': ['tonearm/service.h'],
  'tonearm/shards': ['tonearm/shard_service.h'],
  'tonearm/catalog_reader': ['tonearm/catalog_reader.h'],
};

// Sets of modules that several rows share.
const within = (folder, names) => names.map((name) => `${folder}/${name}`);
const plain = ['tonearm/text', 'tonearm/values', 'tonearm/track'];
const catalogHeaders = [...plain, 'tonearm/catalog'];
const sqlHeaders = ['tonearm/values', 'tonearm/sql'];
const sqliteHeaders = [...sqlHeaders, 'tonearm/sqlite'];
const snapshotHeaders = [...catalogHeaders, ...sqliteHeaders, 'tonearm/snapshot', 'tonearm/sqlite_snapshot'];
const serviceHeaders = [...catalogHeaders, ...sqlHeaders, 'tonearm/service'];
const text = ['tonearm/text', 'core/src/text', 'core/src/json'];
const stateModules = within('core/src', ['state', 'state/calls', 'state/accounts', 'state/collections', 'state/take_downs', 'state/division']);
/** What the types of requests and answers are declared with. */
const apiTypes = [...text, ...within('core/src', ['domain', 'reflection', 'table', 'vocabulary']), ...stateModules, ...catalogHeaders, ...sqlHeaders];
const catalogModules = within('core/src/catalog', ['storage', 'index', 'query', 'lookup']);
/** What the native programs share. */
const native = (...names) => within('native/src', names);
const builder = (...names) => within('catalog-builder/src', names);
/** Data files, TOML and publishing, of native/src/files. */
const nativeFiles = ['tonearm/text', ...snapshotHeaders, ...native('files')];
const builderValues = ['tonearm/text', 'tonearm/values', 'core/src/text', ...nativeFiles, ...builder('runtime', 'values')];
const builderLines = [...builderValues, ...builder('input')];
const builderTracks = [...builderLines, ...plain, 'core/src/domain', ...builder('canonical', 'report', 'tracks')];
const demo = (...names) => within('demo-composer/src', names);
const web = (...names) => within('web-demo-server/src', names);

/** Module -> the modules it may reach. */
export const ARROWS = {
  'tonearm/text': [],
  'tonearm/values': [],
  'tonearm/track': [],
  'tonearm/sql': ['tonearm/values'],
  'tonearm/sqlite': sqlHeaders,
  'tonearm/snapshot': ['tonearm/values'],
  'tonearm/sqlite_snapshot': [...sqliteHeaders, 'tonearm/snapshot'],
  'tonearm/catalog': plain,
  'tonearm/route_templates': [],
  'tonearm/service': [...catalogHeaders, ...sqlHeaders],
  'tonearm/shards': [...catalogHeaders, ...sqlHeaders],
  'tonearm/catalog_reader': catalogHeaders,

  'core/src/text': ['tonearm/text', 'tonearm/values'],
  'core/src/json': ['tonearm/text', 'core/src/text'],
  'core/src/vocabulary': ['tonearm/text'],
  'core/src/domain': ['core/src/text', ...plain],
  'core/src/sql': ['tonearm/text', 'core/src/text', ...sqliteHeaders, 'tonearm/snapshot', 'tonearm/sqlite_snapshot'],
  'core/src/state': [...plain, 'core/src/text', ...sqlHeaders],
  'core/src/state/calls': [...plain, 'core/src/state', ...sqlHeaders],
  'core/src/state/accounts': [...text, ...within('core/src', ['domain', 'state', 'state/calls']), ...plain, ...sqlHeaders],
  'core/src/state/collections': [...text, ...within('core/src', ['domain', 'state', 'state/calls', 'state/accounts']), ...plain, ...sqlHeaders],
  'core/src/state/division': [...text, ...within('core/src', ['domain', 'state', 'state/calls', 'state/accounts']), ...plain, ...sqlHeaders],
  'core/src/state/take_downs': ['tonearm/text', 'core/src/state', ...plain, ...sqlHeaders],
  'core/src/reflection': [...text, ...catalogHeaders],
  'core/src/catalog/storage': [...plain, ...sqliteHeaders, 'tonearm/snapshot'],
  'core/src/catalog/index': [
    ...[...text, 'core/src/reflection', 'core/src/catalog/storage'],
    ...[...catalogHeaders, ...sqliteHeaders, 'tonearm/snapshot'],
  ],
  'core/src/catalog/query': [...text, ...within('core/src/catalog', ['storage', 'index']), ...snapshotHeaders],
  'core/src/catalog/lookup': [...text, 'core/src/reflection', ...within('core/src/catalog', ['storage', 'index', 'query']), ...snapshotHeaders],
  'core/src/catalog/writer': [...text, 'core/src/domain', 'core/src/reflection', ...catalogModules, ...snapshotHeaders],
  'core/src/catalog': [...catalogModules, ...snapshotHeaders],
  'core/src/table': [...text, ...within('core/src', ['domain', 'reflection']), ...stateModules, ...catalogHeaders, ...sqlHeaders],
  'core/src/mcp': apiTypes,
  'core/src/api/requests': [...apiTypes, 'core/src/mcp'],
  'core/src/api/description': [...apiTypes, ...within('core/src/api', ['requests'])],
  'core/src/api/answers': [...apiTypes, ...within('core/src/api', ['requests'])],
  'core/src/api/resources': [...apiTypes, 'tonearm/service', ...within('core/src/api', ['requests', 'description', 'answers'])],
  'core/src/api/routing': [
    ...[...apiTypes, 'core/src/mcp', 'tonearm/service', 'tonearm/catalog_reader', 'tonearm/route_templates'],
    ...within('core/src/api', ['requests', 'description', 'resources']),
  ],
  'core/src/shards': [
    ...[...apiTypes, 'core/src/sql', 'core/src/mcp', 'tonearm/sqlite', 'tonearm/shards'],
    ...within('core/src/api', ['requests', 'routing']),
  ],

  'native/src/files': ['tonearm/text', 'tonearm/values', ...snapshotHeaders],
  'native/src/system': ['tonearm/text', 'tonearm/values', ...snapshotHeaders, 'native/src/files'],
  'native/src/releases': ['tonearm/text', 'tonearm/values', ...snapshotHeaders, ...native('system')],
  'native/src/supervision': [],
  'native/src/settings': ['tonearm/text', 'tonearm/values', ...native('files')],
  'native/src/monitoring': ['tonearm/text', 'tonearm/route_templates', 'tonearm/values'],
  'native/src/client': ['tonearm/text', 'tonearm/values', 'core/src/text', ...native('system')],
  'native/src/public_web': ['tonearm/values'],
  'native/src/sqlite_state': sqliteHeaders,
  'native/src/housekeeping': [...sqliteHeaders, ...native('monitoring', 'sqlite_state')],
  'native/src/postgresql': ['tonearm/text', ...sqlHeaders, ...native('system')],
  'native/src/snapshot': [...snapshotHeaders, ...native('files', 'monitoring')],
  'native/src/object_store': ['tonearm/text', 'tonearm/values', 'core/src/text', ...native('client', 'files', 'settings')],
  'native/src/remote_catalog': [...snapshotHeaders, ...native('client', 'files', 'monitoring', 'object_store', 'snapshot', 'system')],
  'native/src/http': [...serviceHeaders, ...native('monitoring', 'system')],
  'native/src/options': ['core/src/text', ...serviceHeaders, ...native('http', 'monitoring', 'postgresql', 'settings', 'system')],

  'audio/src/decoding': plain,
  'audio/src/fingerprint': [...plain, 'core/src/domain', 'core/src/text', 'audio/src/decoding'],
  'audio/wasm': [...plain, 'core/src/domain', 'core/src/text', 'audio/src/decoding', 'audio/src/fingerprint'],
  'audio/src/measuring': [...plain, 'audio/src/decoding', 'audio/src/fingerprint', ...native('system')],

  'host-native/src/admin': ['tonearm/text', 'tonearm/values', ...native('client', 'files', 'settings', 'system')],
  'host-native/src/server': [
    ...[...serviceHeaders, ...snapshotHeaders],
    ...native('client', 'files', 'housekeeping', 'http', 'monitoring', 'object_store', 'options', 'postgresql', 'remote_catalog', 'settings'),
    ...native('snapshot', 'sqlite_state', 'supervision', 'system'),
  ],

  'web-demo-server/src/messages': ['tonearm/text', 'tonearm/values', 'core/src/text', 'core/src/json'],
  'web-demo-server/src/upstream': [...text, 'tonearm/values', ...web('messages'), ...native('client', 'files', 'system')],
  'web-demo-server/src/people': ['tonearm/text', ...sqlHeaders],
  'web-demo-server/src/archives': [...text, 'tonearm/values', 'tonearm/track', ...web('messages')],
  'web-demo-server/src/rate_limits': [],
  'web-demo-server/src/oauth': ['tonearm/text', ...sqlHeaders, 'core/src/text', ...native('public_web'), ...web('people', 'rate_limits')],
  'web-demo-server/src/files': ['tonearm/text', 'tonearm/values'],
  'web-demo-server/src/renderer': native('system'),
  'web-demo-server/src/pages': [...text, 'tonearm/values', ...native('client'), ...web('files', 'messages', 'rate_limits', 'renderer', 'upstream')],
  'web-demo-server/src/routes': [
    ...[...text, ...serviceHeaders, ...native('client', 'files', 'http', 'monitoring', 'public_web', 'system')],
    ...web('archives', 'files', 'messages', 'oauth', 'pages', 'people', 'renderer', 'upstream', 'rate_limits'),
  ],
  'web-demo-server/src/program': [
    ...[...serviceHeaders, ...sqliteHeaders],
    ...native('client', 'files', 'http', 'monitoring', 'options', 'postgresql', 'public_web', 'settings', 'sqlite_state', 'supervision', 'system'),
    ...web('archives', 'files', 'messages', 'oauth', 'pages', 'people', 'renderer', 'routes', 'upstream', 'rate_limits'),
  ],

  'host-wasm/bridge': [...snapshotHeaders, 'tonearm/shards', 'tonearm/catalog_reader'],

  'demo-composer/src/composition': nativeFiles,
  'demo-composer/src/sound': [...nativeFiles, 'audio/src/decoding', ...demo('composition')],
  'demo-composer/src/output': [
    ...['core/src/text', ...nativeFiles, ...native('system')],
    ...['audio/src/decoding', ...demo('composition', 'sound')],
  ],
  'demo-composer/src/program': [
    ...['tonearm/text', ...snapshotHeaders, ...native('files', 'settings', 'system')],
    ...demo('output'),
  ],

  'catalog-builder/src/runtime': nativeFiles,
  'catalog-builder/src/values': ['tonearm/text', 'tonearm/values', 'core/src/text'],
  'catalog-builder/src/input': [...builderValues, ...sqliteHeaders],
  'catalog-builder/src/canonical': [...builderLines, ...plain],
  'catalog-builder/src/tracks': plain,
  'catalog-builder/src/report': [...text, ...plain, 'core/src/domain', ...builder('canonical')],
  'catalog-builder/src/mapping': [...builderTracks, ...native('settings')],
  'catalog-builder/src/cleaning': [...builderTracks, ...builder('mapping')],
  'catalog-builder/src/intake': [...builderTracks, ...builder('cleaning')],
  'catalog-builder/src/folder': [
    ...[...builderTracks, 'core/src/json', ...builder('mapping'), ...native('files', 'system')],
    ...within('audio/src', ['decoding', 'fingerprint', 'measuring']),
  ],
  'catalog-builder/src/similar': [
    ...['core/src/catalog/index', ...plain, ...sqliteHeaders],
    ...['core/src/text', ...native('system'), ...builder('runtime', 'input', 'canonical')],
  ],
  'catalog-builder/src/snapshot': [...text, ...snapshotHeaders, ...native('files'), ...builder('runtime')],
  'catalog-builder/src/links': [...builderTracks, 'core/src/json', ...native('public_web'), ...builder('snapshot')],
  'catalog-builder/src/review': [
    ...[...builderLines, ...within('core/src', ['json', 'domain', 'reflection']), ...snapshotHeaders],
    ...native('files', 'system'),
  ],
  'catalog-builder/src/program': [
    ...[...builderTracks, ...snapshotHeaders, ...within('core/src', ['json', 'reflection'])],
    ...builder('mapping', 'cleaning', 'intake', 'folder', 'similar', 'snapshot', 'links', 'review'),
    ...within('audio/src', ['decoding', 'fingerprint', 'measuring']),
    ...native('client', 'files', 'monitoring', 'object_store', 'public_web', 'releases', 'remote_catalog', 'settings', 'snapshot', 'system'),
  ],

  'command-line/src/server': [],
  'command-line/src/output': ['tonearm/text', 'core/src/text', 'command-line/src/server'],
  'command-line/src/edits': ['tonearm/text', 'core/src/text', ...native('files'), ...within('command-line/src', ['output'])],
  'command-line/src/project': [
    ...[...apiTypes, ...within('audio/src', ['decoding', 'fingerprint']), ...native('files', 'system')],
    ...within('command-line/src', ['server', 'output', 'edits']),
  ],
  'command-line/src/films': [
    ...[...apiTypes, ...within('audio/src', ['decoding', 'fingerprint']), ...native('files', 'system')],
    ...within('command-line/src', ['server', 'output', 'edits', 'project']),
  ],
  'command-line/src/receipts': [
    ...[...apiTypes, ...native('files', 'releases', 'system')],
    ...within('command-line/src', ['server', 'output']),
  ],
  'command-line/src/login': [...text, 'tonearm/values', ...native('files', 'system'), ...within('command-line/src', ['server', 'output'])],
  'command-line/src/program': [
    ...[...apiTypes, ...native('files', 'releases', 'settings', 'system')],
    ...within('command-line/src', ['server', 'output', 'edits', 'project', 'films', 'receipts', 'login']),
  ],
};

/** Arrows that the rows forbid, from a module or a file, with reasons. An exception that is not needed is a violation. */
export const EXCEPTIONS = [];

/** Accepted cycles of TypeScript imports, with reasons. An accepted cycle that no longer exists is a violation. */
export const IMPORT_EXCEPTIONS = [];

/** Modules that have no README.md yet. */
export const UNEXPLAINED = [];
