// The examples of a page: its fenced blocks, and whether what was written is what a block says. README.md has the convention.

/** The fenced blocks of a page: `{line, info, text}`, lines counted from 1. */
export function fencedBlocks(page) {
  const blocks = [];
  let open = null;
  for (const [index, line] of page.split('\n').entries()) {
    const fence = /^(\s*)```(.*)$/.exec(line);
    if (!fence) {
      open?.lines.push(line.slice(open.indent));
    } else if (open) {
      blocks.push({ line: open.line, info: open.info, text: open.lines.join('\n') });
      open = null;
    } else {
      open = { line: index + 1, indent: fence[1].length, info: fence[2].trim(), lines: [] };
    }
  }
  if (open) throw new Error(`line ${open.line}: the block has no end`);
  return blocks;
}

/**
 * The examples of a page: `runs`, each `{line, text, outputs: [{line, form, text}]}`; `left`, those that are not executed, with their
 * reason; `breaches`, what breaks the convention.
 */
export function examplesOf(page) {
  const found = { runs: [], left: [], breaches: [] };
  for (const { line, info, text } of fencedBlocks(page)) {
    const [language, ...rest] = info.split(' ');
    const mark = rest.join(' ');
    if (info === 'sh run') found.runs.push({ line, text, outputs: [] });
    else if (language === 'sh' && /^not-run: \S/.test(mark)) found.left.push({ line, reason: mark.slice('not-run: '.length) });
    else if (language === 'sh') found.breaches.push(`line ${line}: \`${info}\` says neither run nor not-run: REASON`);
    else if (mark === 'output' && ['json', 'text'].includes(language)) {
      if (found.runs.length === 0) found.breaches.push(`line ${line}: an output before any command`);
      else found.runs.at(-1).outputs.push({ line, form: language, text });
    } else if (mark) found.breaches.push(`line ${line}: \`${info}\` is no mark of an example`);
  }
  for (const [index, line] of page.split('\n').entries()) {
    if (/^ {4}(curl|api) .*\$URL/.test(line)) found.breaches.push(`line ${index + 1}: an indented command for $URL is not executed`);
  }
  return found;
}

const ANY = '...';

/** Where `actual` differs from the stated JSON: a path and what is there, or null. */
export function jsonDifference(stated, actual, path = '$') {
  if (stated === ANY) return null;
  if (Array.isArray(stated)) {
    if (!Array.isArray(actual)) return `${path}: no array but ${JSON.stringify(actual)}`;
    const open = stated.at(-1) === ANY;
    const named = open ? stated.slice(0, -1) : stated;
    if (open ? actual.length < named.length : actual.length !== named.length) return `${path}: ${actual.length} elements`;
    return firstOf(named.map((value, i) => () => jsonDifference(value, actual[i], `${path}[${i}]`)));
  }
  if (stated !== null && typeof stated === 'object') {
    if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) return `${path}: no object but ${JSON.stringify(actual)}`;
    return firstOf(Object.entries(stated).map(([key, value]) => () =>
      Object.hasOwn(actual, key) ? jsonDifference(value, actual[key], `${path}.${key}`) : `${path}.${key}: is missing`));
  }
  return Object.is(stated, actual) ? null : `${path}: ${JSON.stringify(actual)}, not ${JSON.stringify(stated)}`;
}

function firstOf(checks) {
  for (const check of checks) {
    const difference = check();
    if (difference) return difference;
  }
  return null;
}

const quoted = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether the text is the stated one, `...` standing for anything in a line and a line of it for any lines. */
export function textMatches(stated, actual) {
  const lines = stated.trimEnd().split('\n');
  const pattern = lines.map((line) => line.trim() === ANY ? '(?:.*\n)*?' : `${line.split(ANY).map(quoted).join('.*')}\n`).join('');
  return new RegExp(`^${pattern}$`).test(`${actual.replaceAll('\r\n', '\n').trimEnd()}\n`);
}
