// Shows the tracks of a tool's result: search results, single tracks, and collections. Texts of the catalog become text nodes only, and
// addresses are used only if they are http or https (MCP-23).

const $ = (id) => document.getElementById(id);
const NAME_MAX = 200; // characters of a title, an artist or a name
const MESSAGE_MAX = 400;
const IDS_MAX = 50; // of one call of get_tracks
const COLLECTION_NAME = 'Kept tracks'; // proposed for a new collection
const NEW_COLLECTION = 'new';

const audio = new Audio();
audio.preload = 'none';

let capabilities = {}; // of the host
let rows = []; // {id, track, item, element, isComplete, peaks}
let current = null; // the row that plays or is paused
let isBlocked = false; // whether the host's policy has blocked the audio of `current`
let keptIn = null; // the collection that Keep adds to: {id, name}
const kept = {}; // ids of the collections -> ids of the tracks
let chosenRow = null; // the row whose Keep button opened the chooser

const shortened = (text, max = NAME_MAX) => (String(text).length > max ? `${String(text).slice(0, max)}…` : String(text));
const titleOf = ({ track, item, id }) => shortened((track ?? item?.license_record)?.title || id);
const timeOf = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
const part = (row, name) => row.element.querySelector(`.${name}`);

/** Returns the address if it is http or https, else null. */
function webAddress(text) {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url : null;
}
const soundOf = ({ track }) => webAddress(track?.preview_url) ?? webAddress(track?.original_url);

// ---- The host

const canCallTools = () => capabilities.serverTools !== undefined;

/** Returns what the tool answers. Throws an Error for people if it answers with an error. */
async function callTool(name, given) {
  const result = await host.request('tools/call', { name, arguments: given });
  if (result.isError) throw new Error(messageOf(result));
  return contentOf(result);
}

const contentOf = ({ structuredContent, content }) => structuredContent ?? JSON.parse(content?.[0]?.text ?? '{}');
/** The first line of an error is its code and its message (MCP-10). */
const messageOf = ({ content }) => shortened((content?.[0]?.text ?? 'The call failed.').split('\n')[0].replace(/^[a-z_]+: /, ''), MESSAGE_MAX);
const messageIn = (error) => shortened(error.message, MESSAGE_MAX);

/** Makes a button of `element` that opens the address in the host's browser. Without an address or such a host, it is text. */
function linkTo(element, url, text, label) {
  element.textContent = text;
  if (!url || !capabilities.openLinks) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  button.textContent = text;
  if (label) button.setAttribute('aria-label', label);
  button.addEventListener('click', () => host.request('ui/open-link', { url: url.href }).catch((error) => { $('notice').textContent = messageIn(error); }));
  element.replaceChildren(button);
}

/** Uses the host's theme, and its colors if it gives those of both text and background. */
function applyContext({ theme, styles }) {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  const variables = Object.entries(styles?.variables ?? {}).filter(([, value]) => typeof value === 'string');
  const names = new Set(variables.map(([name]) => name));
  const givesColors = names.has('--color-text-primary') && names.has('--color-background-primary');
  for (const [name, value] of variables) {
    if (/^--(font-sans|border-radius-md)$/.test(name) || (givesColors && /^--color-(background-primary|(text|border|ring)-[a-z]+)$/.test(name))) style.setProperty(name, value);
  }
  for (const row of rows) draw(row);
}

// ---- Rows

function fill(row) {
  const { track, item } = row;
  const stated = item?.license_record;
  const shown = track ?? stated;
  linkTo(part(row, 'title'), webAddress(track?.page_url), titleOf(row), `Open the page of ${titleOf(row)}`);
  part(row, 'artist').textContent = shortened(shown?.artist ?? '');
  part(row, 'length').textContent = track ? timeOf(track.duration_s) : '';
  linkTo(part(row, 'license-name'), webAddress(shown?.license?.url), shown?.license?.name ?? 'License unknown');
  badge(row, 'commercial', shown && (shown.terms.commercial ? ['Commercial use allowed', 'yes'] : ['No commercial use', 'no']));
  badge(row, 'attribution', shown && [`Credit ${shown.attribution}`, shown.attribution]);
  part(row, 'share-alike').hidden = !shown?.terms.share_alike;
  part(row, 'credit').textContent = stated?.credit_line ?? track?.credit_line ?? '';
  part(row, 'play').hidden = !soundOf(row);
  showPlaying(row);
  part(row, 'seek').setAttribute('aria-label', `Position in ${titleOf(row)}`);
  part(row, 'keep').setAttribute('aria-label', `Keep ${titleOf(row)}`);
  part(row, 'keep').hidden = !canCallTools() || !track;
  showKept(row);
  part(row, 'no-waveform').textContent = waveformText(row);
  if (item?.license_changed) note(row, 'The license has changed since this track was kept.');
  if (!track) note(row, 'The catalog no longer contains this track.');
}

function badge(row, name, words) {
  const element = part(row, name);
  element.textContent = words?.[0] ?? '';
  if (words) element.dataset.is = words[1];
}

const note = (row, text) => { part(row, 'note').textContent = text; };

/** What a row says where it draws no waveform. Peaks are in complete tracks only, so before nothing is known. */
function waveformText({ track, isComplete, peaks }) {
  if (!track) return '';
  if (!soundOf({ track })) return isComplete ? 'This track cannot be played here.' : '';
  if (!isComplete || peaks) return '';
  if (!webAddress(track.peaks_url)) return 'No waveform for this track.';
  return peaks === null ? 'The waveform could not be loaded.' : '';
}

/** `peaks`: undefined: not loaded; null: could not be loaded. */
async function showWaveform(row) {
  const url = webAddress(row.track?.peaks_url);
  if (!url || !soundOf(row)) return;
  row.peaks = await loadPeaks(url.href);
  part(row, 'no-waveform').textContent = waveformText(row);
  draw(row);
}

function draw(row) {
  if (!row.peaks) return;
  const canvas = row.element.querySelector('canvas');
  canvas.hidden = false;
  drawWaveform(canvas, row.peaks, row === current && audio.duration > 0 ? audio.currentTime / audio.duration : 0);
}

function makeRow({ id, track, item }) {
  const element = $('row').content.firstElementChild.cloneNode(true);
  const row = { id, track, item, element, isComplete: false, peaks: undefined };
  part(row, 'play').addEventListener('click', () => togglePlay(row));
  part(row, 'keep').addEventListener('click', () => keep(row));
  part(row, 'seek').addEventListener('input', ({ target }) => { audio.currentTime = Number(target.value); });
  fill(row);
  return row;
}

/** Loads waveforms when their rows come into view. */
const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    const row = rows.find(({ element }) => element === target);
    if (row) showWaveform(row);
  }
});

/** Reads the credit lines, links and waveforms that a compact result omits (MCP-9). */
async function complete(shown, collection) {
  if (!canCallTools()) {
    $('notice').textContent = 'This host lets the player call no tools, so it shows no credit lines and waveforms and keeps no tracks.';
    return;
  }
  try {
    const found = collection ? await completeItems(collection) : await completeTracks(shown);
    for (const row of shown) {
      Object.assign(row, found.get(row.id), { isComplete: true });
      fill(row);
      watcher.observe(row.element);
    }
  } catch (error) {
    $('notice').textContent = `Credit lines and waveforms could not be loaded: ${messageIn(error)}`;
  }
}

async function completeTracks(shown) {
  const found = new Map();
  for (let at = 0; at < shown.length; at += IDS_MAX) {
    const { tracks } = await callTool('get_tracks', { track_ids: shown.slice(at, at + IDS_MAX).map(({ id }) => id), detail: 'full' });
    for (const track of tracks) found.set(track.id, { track });
  }
  return found;
}

async function completeItems(collection) {
  const { items } = await callTool('get_collection', { collection_id: collection, detail: 'full' });
  return new Map(items.map((item) => [item.track_id, { track: item.track, item }]));
}

/** `total`: how many tracks the search found; undefined for other results. */
function countText(total) {
  if (rows.length === 0) return '';
  if (total > rows.length) return `${rows.length} of ${total} tracks`;
  return rows.length === 1 ? '1 track' : `${rows.length} tracks`;
}

/** Shows the result of a tool: the tracks, or the message of an error. */
function show(result) {
  stop();
  closeChooser();
  const content = result.isError ? { tracks: [] } : contentOf(result);
  const found = content.items?.map((item) => ({ id: item.track_id, track: item.track, item }))
    ?? (content.tracks ?? (content.title === undefined ? [] : [content])).map((track) => ({ id: track.id, track, item: null }));
  rows = found.map(makeRow);
  $('tracks').replaceChildren(...rows.map(({ element }) => element));
  $('heading').textContent = content.items ? shortened(content.name) : 'Tracks';
  $('count').textContent = countText(content.total);
  const notice = result.isError ? messageOf(result) : 'No tracks.';
  $('notice').textContent = rows.length === 0 ? notice : '';
  if (rows.length > 0) complete(rows, content.items && content.collection_id);
}

// ---- Playing

async function togglePlay(row) {
  if (row === current && !audio.paused) return audio.pause();
  if (row !== current) {
    stop();
    current = row;
    audio.src = soundOf(row).href;
  } else if (audio.error) {
    audio.load();
  }
  isBlocked = false;
  note(row, '');
  try {
    await audio.play();
  } catch (error) {
    if (row !== current || error.name === 'AbortError') return;
    explainSilence(error.name === 'NotAllowedError' ? 'This host does not let the player make sound.' : `The audio at ${soundOf(row).host} could not be loaded.`);
  }
}

function stop() {
  audio.pause();
  if (!current) return;
  const row = current;
  current = null;
  showPlaying(row);
  part(row, 'seek').disabled = true;
  draw(row);
}

/** A blocked request also fails, before or after its violation is reported; the policy is the reason to show. */
function explainSilence(text) {
  if (!isBlocked) note(current, text);
  showPlaying(current);
}

document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
  if (effectiveDirective !== 'media-src' || !current) return;
  const { host: name } = soundOf(current);
  const page = webAddress(current.track.page_url);
  isBlocked = true;
  note(current, `This host does not let the player load audio from ${name}. ${page ? `Listen at ${page.href}` : 'Listen at the page of the track.'}`);
});

function showPlaying(row) {
  const isPlaying = row === current && !audio.paused && !audio.error;
  row.element.classList.toggle('playing', isPlaying);
  part(row, 'play').setAttribute('aria-label', `${isPlaying ? 'Pause' : 'Play'} ${titleOf(row)}`);
}

function showPosition() {
  if (!current) return;
  const seek = part(current, 'seek');
  const length = Number.isFinite(audio.duration) ? audio.duration : current.track.duration_s;
  seek.disabled = false;
  seek.max = String(Math.floor(length));
  seek.value = String(Math.floor(audio.currentTime));
  seek.setAttribute('aria-valuetext', `${timeOf(audio.currentTime)} of ${timeOf(length)}`);
  draw(current);
}

for (const event of ['playing', 'pause', 'ended']) audio.addEventListener(event, () => current && showPlaying(current));
for (const event of ['loadedmetadata', 'timeupdate', 'seeking', 'ended']) audio.addEventListener(event, showPosition);

// ---- Keeping

async function keep(row) {
  if (!keptIn) return openChooser(row);
  try {
    await addTo(keptIn, row);
  } catch (error) {
    note(row, messageIn(error));
  }
}

async function addTo(collection, row) {
  part(row, 'keep').disabled = true;
  try {
    await callTool('add_tracks', { collection_id: collection.id, track_ids: [row.id] });
    (kept[collection.id] ??= []).push(row.id);
    note(row, `Kept in ${shortened(collection.name)}.`);
    tellModel();
  } finally {
    showKept(row);
  }
}

function showKept(row) {
  const isKept = kept[keptIn?.id]?.includes(row.id) ?? false;
  part(row, 'keep').disabled = isKept;
  part(row, 'keep').textContent = isKept ? 'Kept' : 'Keep';
}

/** Tells the model what the person kept: ids only, because names are third-party data. */
function tellModel() {
  if (!capabilities.updateModelContext) return;
  const text = Object.entries(kept).map(([collection, tracks]) => `In the player, the user kept ${tracks.join(', ')} in the collection ${collection}.`).join('\n');
  host.request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => {});
}

/** `row`: the track to keep; null: only chooses the collection. */
async function openChooser(row) {
  try {
    const { collections } = await callTool('list_collections', {});
    if (row && !row.element.isConnected) return; // another result replaced the rows
    const options = collections.filter((it) => !it.read_only).map((it) => new Option(shortened(it.name), it.collection_id));
    $('collection').replaceChildren(...options, new Option('A new collection', NEW_COLLECTION));
  } catch (error) {
    (row ? part(row, 'note') : $('notice')).textContent = messageIn(error);
    return;
  }
  chosenRow = row;
  $('confirm').textContent = row ? 'Keep' : 'Choose';
  $('name').value = COLLECTION_NAME;
  $('chooser-notice').textContent = '';
  showNameRow();
  (row?.element ?? $('kept-in')).append($('chooser'));
  $('chooser').hidden = false;
  $('collection').focus();
}

function closeChooser() {
  if ($('chooser').hidden) return;
  $('chooser').hidden = true;
  document.querySelector('main').append($('chooser')); // rows are replaced
  const button = chosenRow && part(chosenRow, 'keep');
  (button && !button.disabled ? button : $('change')).focus();
}

function showNameRow() { $('name-row').hidden = $('collection').value !== NEW_COLLECTION; }

/** Returns the chosen collection. A new one is created, and stays chosen, so that a second try does not create another. */
async function chosenCollection() {
  const list = $('collection');
  if (list.value === NEW_COLLECTION) {
    const { collection_id: id, name } = await callTool('create_collection', { name: $('name').value });
    list.prepend(new Option(shortened(name), id, true, true));
    showNameRow();
  }
  return { id: list.value, name: list.selectedOptions[0].text };
}

async function confirmChoice() {
  $('confirm').disabled = true;
  try {
    keptIn = await chosenCollection();
    $('kept-in-name').textContent = keptIn.name;
    $('kept-in').hidden = false;
    for (const row of rows) showKept(row);
    if (chosenRow && !kept[keptIn.id]?.includes(chosenRow.id)) await addTo(keptIn, chosenRow);
    closeChooser();
  } catch (error) {
    $('chooser-notice').textContent = messageIn(error);
  } finally {
    $('confirm').disabled = false;
  }
}

$('confirm').addEventListener('click', confirmChoice);
$('cancel').addEventListener('click', closeChooser);
$('change').addEventListener('click', () => openChooser(null));
$('collection').addEventListener('change', showNameRow);
$('chooser').addEventListener('keydown', ({ key }) => { if (key === 'Escape') closeChooser(); });

// ---- Start

/** Tells the host how high the page is, so that the frame shows all of it. */
new ResizeObserver(() => {
  host.notify('ui/notifications/size-changed', { height: Math.ceil(document.querySelector('main').getBoundingClientRect().height) });
  for (const row of rows) draw(row);
}).observe(document.querySelector('main'));

host.on('ui/notifications/tool-input', () => { $('notice').textContent = 'Loading…'; });
host.on('ui/notifications/tool-result', show);
host.on('ui/notifications/tool-cancelled', () => { $('notice').textContent = 'The call was cancelled.'; });
host.on('ui/notifications/host-context-changed', applyContext);
host.on('ui/resource-teardown', stop);

host.request('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'tonearm-player', version: '1.0.0' }, appCapabilities: { availableDisplayModes: ['inline'] } })
  .then(({ hostCapabilities, hostContext }) => {
    capabilities = hostCapabilities ?? {};
    applyContext(hostContext ?? {});
    host.notify('ui/notifications/initialized');
  });
