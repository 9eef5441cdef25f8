// Words that this project used for things that have a name in the field, with the name to use instead (docs/glossary.md).
// They must not come back. `node tests/structure/retired_words.mjs` counts the hits of every word; with the name of a row it
// prints where they are.

import { pathToFileURL } from 'node:url';

import { readTree, withoutProse } from './tree.mjs';

const isCode = ({ path }) => /\.(h|cpp|ts|mjs|js)$/.test(path);
const isCatalog = ({ path }) => /^core\/.*catalog.*\.(h|cpp)$/.test(path);
const isCpp = ({ path }) => /\.(h|cpp)$/.test(path);
/** Not a list of what people search for. */
const isNoVocabulary = ({ path }) => !path.startsWith('core/src/vocabulary/');
const identifiers = { files: isCode, code: true };
const identifiersIn = (folders) => ({ files: (file) => isCode(file) && folders.test(file.path), code: true });

/**
 * One row per word: its pattern, the term to use, the files to search (default: all), and `code` if only identifiers count:
 * comments and literals are blanked first.
 */
export const RETIRED = [
  { word: 'journey', pattern: /(?<![a-z])journeys?(?![a-z])/i, instead: 'round trip', files: isNoVocabulary },
  { word: 'wave', pattern: /(?<![A-Za-z])waves?(?![A-Za-z])|Waves?(?!Surfer)[_A-Z(]/, instead: 'round (of parallel reads)', files: isNoVocabulary },
  {
    word: 'home',
    pattern: /\bHome(Service|s?\b)|\b(account|directory)_homes?\b|\bhomes?\.(h|cpp|ts)\b|\bhomes? of (an|the|their|its|each) account|\bat home\b|\b(account|accounts|object|whose|their|a|own|its|the) homes?\b(?!page| page| folder| directory)/,
    instead: 'account shard, shard',
  },
  { word: 'CallPlace', pattern: /\bCallPlace\b/, instead: 'CallRoute' },
  { word: 'locate', pattern: /\blocate(_admin)?\s*\(/, instead: 'route', files: isCode },
  { word: 'nobody', pattern: /\bis nobody's\b|\bkNobody\b|\b(?!acc_)[a-z_]+_nobody\b|\b[Nn]obody(?=[(;:])/, instead: 'stateless' },
  {
    word: 'leave',
    pattern: /\b(the|a|its|this|one) leave\b(?! out)|\btype Leave\b|[:<] ?Leave\b|\bLeave[,;|>]/,
    instead: 'admission ticket',
  },
  {
    word: 'bring',
    pattern: /\b(take_copy|takeCopy|copyNumber|bring_\w+|\w+_brought|AccountCopy|account_copy|CopiedAccount)\b/,
    instead: 'replicate, acknowledge, apply_replica, version',
  },
  { word: 'run again', pattern: /\b(runs?|ran|running) again\b|\brun_again\b|\brunAgain\b/, instead: 'replay' },
  { word: 'workplace', pattern: /workplace/i, instead: 'SearchContext, search context' },
  { word: 'forecast', pattern: /forecast/i, instead: 'prefetch' },
  { word: 'expect()', pattern: /(\.|->)expect\(|\bvoid expect\(/, instead: 'prefetch', files: isCpp },
  {
    word: 'far, at hand',
    pattern: /\bafar\b|\bat hand\b|\bdraw(s|n|ing)? near\b|\bdraw_near\b|\b(file|catalog|snapshot) (is|lies) far\b|\bis_far\b|\bfrom far\b/,
    instead: 'remote; resident; load or prefetch',
  },
  {
    word: 'place',
    pattern: /\b(?!\w*in_place\b)\w+_places?\b|\bplaces?_(?!holder)\w+|\bPlaces?\b(?! [a-z])|\bplaces\.(h|cpp)\b|\bkPlace\w*/,
    instead: 'rank, sort key, offset, index',
    files: isCode,
    code: true,
  },
  { word: 'Samples', pattern: /\bSamples\b(?! and)|\bsamples\.(h|cpp)\b/, instead: 'SparseIndex', files: isCatalog },
  { word: 'checks_', pattern: /\bchecks_\b/, instead: 'fingerprints_', files: isCpp },
  { word: 'Between', pattern: /\bBetween\b/, instead: 'IndexRange', files: isCpp, code: true },
  { word: 'bonus', pattern: /bonus/i, instead: 'boost' },
  { word: 'Weighed', pattern: /\bWeighed\b|\bweighed_|_weighed\b/, instead: 'Weighted' },
  // Only identifiers: some messages to users contain "a fault of the server" and must not change.
  { word: 'fault', pattern: /(?<!de)fault/i, instead: 'Error or Failure', files: isCode, code: true },
  { word: 'Question', pattern: /\bQuestion\b|\bquestion_/, instead: 'Query', files: isCode, code: true },
  { word: 'is_worn', pattern: /\bis_worn\b|\bin_step\b/, instead: 'needs_recycle; in_sync' },
  {
    word: 'take up',
    pattern: /\b(take|takes|taken|took|taking) (up|it up)\b|\btake_up\b|\btakeUp\b|\blook\(\)/,
    instead: 'activate; poll()',
  },
  { word: 'EarlyEnd', pattern: /\bEarlyEnd\b|\bearly_end\b/, instead: 'ExitStatus' },
  { word: 'Welcome', pattern: /\bWelcome\b/, instead: 'AcceptPolicy' },
  { word: 'upwards', pattern: /\bupwards\b/i, instead: 'ascending' },
  { word: 'anew', pattern: /\banew\b/i, instead: 'again' },
  { word: 'the begin', pattern: /\b(the|its|from) begin\b(?!\()/i, instead: 'start' },
  {
    word: 'behind',
    pattern: /\b(comes?|stands?|stood|written|placed|put|lies?|lie) behind\b(?! (the same token|a proxy|proxies))/i,
    instead: 'after',
  },
  {
    word: 'group',
    pattern: /\b(word|words|synonym|kind|track)[ _]groups?\b|\bgroups? of (words|tracks|eight|four)\b|\bWordGroups?\b|\bTrackGroups?\b/i,
    instead: 'partition (of a kind); clause (of a query); track block; group is of the taxonomy alone',
  },
  {
    word: 'word',
    pattern: /\bQueryWords?\b|\bquery_words?\b|\btrack_words?\b|\bTrackWords?\b|\bWordTracks\b|\bword_index\b/,
    instead: 'term; a word is 64 bits of a bitmap',
  },
  // The table `call_parts` keeps its name, because it is stored. The parts of a posting list (`PostingParts`) are parts.
  {
    word: 'parts',
    pattern: /\bParts\b|\bparts_|\bcall_parts\.(h|cpp)\b|\bCallParts?\b/,
    instead: 'Dependencies; partitions (of call records)',
    files: isCpp,
  },
  // The second reading. Most of these words are ordinary English, so only identifiers count.
  {
    word: 'room',
    pattern: /(?<![A-Za-z])rooms?(?![a-z])|(?<![A-Z])Rooms?(?![a-z])/,
    instead: 'module; disk reserve; slot',
    ...identifiersIn(/^(?!demo-composer\/|catalog-builder\/src\/demo\/)/), // music has a reverb with a room
  },
  { word: 'Asker', pattern: /\bAsk(er|ed)|\basker/, instead: 'Peer, PendingRequest', ...identifiers },
  { word: 'Untaken', pattern: /untaken|\bgoes_on\b|\bis_vague\b/i, instead: 'SendBacklog, is_draining, needs_refresh', ...identifiers },
  { word: 'leaves_', pattern: /\bleaves_\b|\bleave\s*\(|\bmake_room\b|\btold_to_/, instead: 'evicting_, evict', ...identifiers },
  { word: 'Allowance', pattern: /Allowance\b|\bAtOnce\b|\badmit_at_once\b/, instead: 'InlineBudget, InlineResult, try_admit', ...identifiers },
  { word: 'stands()', pattern: /\b(stands|rests|goes|must_go)\s*\(/, instead: 'is_open, is_valid, is_idle, should_close', ...identifiers },
  {
    word: 'Approach',
    pattern: /\b(Approach|Visit|Guesses)\b/,
    instead: 'ProxyPolicy, RequestContext, LoginThrottle',
    ...identifiersIn(/^web-demo-server\//), // elsewhere Visit is a type of function
  },
  {
    word: 'Texts',
    pattern: /\bTexts\b|\bforeign\b|\btidy\s*\(|\bplain_address\b/,
    instead: 'Translations, untrusted_text, sanitize, normalized_url',
    ...identifiersIn(/^(?!tests\/)/),
  },
  {
    word: 'left_out',
    pattern: /\bleft_out\b|\bsettled?\b|\bspread\b/,
    instead: 'rejected or omitted, resolve, propagate',
    ...identifiersIn(/^(core|native|catalog-builder|demo-composer|command-line)\//), // tests measure the spread of numbers
  },
  { word: 'PatientAsk', pattern: /\bPatientAsk\b|\bLanes?\b|\bEra\b/, instead: 'RetryingClient, Queue, ProtocolVersion', ...identifiers },
  {
    word: 'walks()',
    pattern: /\bwalks\s*\(|\bsister_url\b|\bkMeant\b/,
    instead: 'has_dot_segments, canonical_url, kSpecial',
    ...identifiers,
  },
  { word: 'asked', pattern: /\basked_(terms?|words?)\b/, instead: 'query terms', ...identifiers },
];

// Files that are not searched: data of sources, queries, licenses, and this table itself.
const NOT_OURS =
  /^(LICENSE|docs\/(glossary|thesaurus)\.md|docs\/adr\/.*|(catalog-builder|demo-composer)\/(data|sources)\/.*|tests\/(structure|real)\/.*|tests\/bench\/relevance\/.*\.(jsonl|txt|json)|.*package-lock\.json|.*golden\/.*)$/;

/** Returns only the notes of a case file. */
const notes = (text) => text.split('\n').map((line) => /"note": ("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? '').join('\n');

/** Returns every hit of a row's word: `path:line: text`. */
export function hitsOf(row, files) {
  return files
    .filter((file) => !NOT_OURS.test(file.path) && (row.files?.(file) ?? true))
    .flatMap((file) => {
      const text = file.path.endsWith('.jsonl') ? notes(file.text) : row.code ? withoutProse(file.text) : file.text;
      const inName = row.pattern.test(file.path) ? [`${file.path}: the name of the file`] : [];
      const lines = text.split('\n').flatMap((line, index) => {
        const found = row.pattern.exec(line);
        return found ? [`${file.path}:${index + 1}: "${found[0]}": ${row.instead}`] : [];
      });
      return [...inName, ...lines];
    });
}

export const retiredWordRules = [
  {
    name: 'No word that a term of the field replaced comes back',
    violations: ({ files }) => RETIRED.flatMap((row) => hitsOf(row, files)),
  },
];

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = readTree();
  const [only] = process.argv.slice(2);
  for (const row of RETIRED) {
    if (only && row.word !== only) continue;
    const hits = hitsOf(row, files);
    console.log(`${String(hits.length).padStart(5)}  ${row.word}: ${row.instead}`);
    if (only) for (const hit of hits) console.log(`         ${hit}`);
  }
}
