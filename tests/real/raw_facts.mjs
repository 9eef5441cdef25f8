// Titles, artists and lengths in the raw files, and rules for comparing tracks with them. The rules are written from what a
// reader of the raw files expects, and share nothing with the builder.

const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', eacute: 'é', egrave: 'è', ouml: 'ö', uuml: 'ü', auml: 'ä' };
const WINDOWS_1252 = new TextDecoder('windows-1252');
const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [WINDOWS_1252.decode(Uint8Array.of(byte)), byte]));

const squeeze = (text) => text.replace(/\s+/g, ' ').trim();

function withoutReferences(text) {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[name.toLowerCase()] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

/** Decodes text that was misread as Windows-1252 and encoded again; returns other text unchanged. */
function decodedOnce(text) {
  const bytes = [...text].map((c) => byteOf.get(c) ?? (c.codePointAt(0) < 256 ? c.codePointAt(0) : -1));
  if (bytes.includes(-1)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return text;
  }
}

/** Returns the forms in which a text of a raw file may be read. */
function readings(text) {
  const forms = new Set([text]);
  for (const form of [text, withoutReferences(text)]) {
    forms.add(form);
    const once = decodedOnce(form);
    for (const decoded of [once, decodedOnce(once)]) forms.add(decoded).add(withoutReferences(decoded));
  }
  return [...forms].map(squeeze);
}

/** Removes separators of words. */
export const solid = (text) => text.replace(/[\s_-]/g, '');

/** Whether a shown title is the source's own; only its encoding and white space may differ. */
export const isTitleOf = (shown, stated) => readings(stated).includes(squeeze(shown));
/** Placeholders for a name in these sources. */
const NOBODY = /^(?:unknown(?: artist)?|various(?: artists)?|anonymous|-*deleteduser-*|\[e-mail masked\]|n\/a|-|\?+)$/i;
export const isArtistOf = (shown, stated) => readings(NOBODY.test(stated.trim()) ? '' : stated).includes(squeeze(shown));
export const isLengthOf = (shown, stated) => Math.round(shown * 1000) === Math.round(stated * 1000);

/** Converts "4:10" or "1:02:03" to seconds. */
export const secondsOf = (clock) => clock.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);

const lettersOf = (text) => text.toLowerCase().replace(/[^a-z0-9\u0080-\uffff]/g, '');

/** Returns the letters of title and artist in every reading; empty if either has none. */
function namesOf({ title, artist }) {
  const names = readings(title).flatMap((t) => readings(artist).map((a) => `${lettersOf(t)} by ${lettersOf(a)}`));
  return [...new Set(names)].filter((name) => !name.startsWith(' ') && !name.endsWith(' '));
}

/** Facts of rows, by key and by the letters of title and artist. */
export class RawFacts {
  #byKey = new Map();
  #byName = new Map();

  /** `source`: the id prefix of such rows. A missing title, artist, length or description is not compared. */
  add(key, source, { title = '', artist = '', seconds = 0, description = null }) {
    const fact = { key, source, title, artist, seconds: Number(seconds) || 0, description };
    if (!this.#byKey.has(key)) this.#byKey.set(key, []);
    this.#byKey.get(key).push(fact);
    for (const name of namesOf(fact)) {
      if (!this.#byName.has(name)) this.#byName.set(name, []);
      this.#byName.get(name).push(fact);
    }
  }

  /** Returns why title, artist, description or length of the track differ from all rows of its key; undefined if they do not. */
  difference(track, key) {
    const rows = this.#byKey.get(key) ?? [];
    if (rows.length === 0) return 'no row is about it';
    const stated = (name) => [...new Set(rows.map((row) => row[name]).filter(Boolean))].join(' | ');
    if (!rows.some((row) => isTitleOf(track.title, row.title))) return `its title is ${stated('title')}`;
    if (!rows.some((row) => isArtistOf(track.artist, row.artist))) return `its artist is ${stated('artist')}`;
    const described = rows.filter((row) => row.description !== null);
    if (described.length > 0 && !described.some((row) => readings(row.description).includes(squeeze(track.description ?? '')))) {
      return `its description is ${stated('description')}`;
    }
    return rows.some((row) => isLengthOf(track.duration_s, row.seconds)) ? undefined : `its length is ${stated('seconds')}`;
  }

  /** Whether no other row of the key's source has its title and artist. */
  isAlone(key) {
    const rows = this.#byKey.get(key) ?? [];
    return rows.flatMap(namesOf).every((name) =>
      this.#byName.get(name).every((other) => other.key === key || other.source !== rows[0].source));
  }

  /** Returns rows of other sources with the name of one of the key's rows and lengths at most `apart` seconds different. */
  namesakes(track, key, apart) {
    const source = track.id.replace(/-\d+$/, '');
    const names = new Set((this.#byKey.get(key) ?? []).flatMap(namesOf));
    const rows = new Set([...names].flatMap((name) => this.#byName.get(name)));
    return [...rows].filter((row) => row.source !== source && row.seconds > 0 && Math.abs(row.seconds - track.duration_s) <= apart);
  }
}
