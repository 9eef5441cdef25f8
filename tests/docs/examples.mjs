// Reads the examples of a page from its fenced blocks, and compares outputs. README.md has the convention.

/** Returns the fenced blocks of a page: `{line, info, text}`, with lines counted from 1. */
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
  if (open) throw new Error(`line ${open.line}: the block is not closed`);
  return blocks;
}

/**
 * Returns the examples of a page: `runs`, each `{line, text, outputs: [{line, form, text}]}`; `skipped`, those that do not run, with
 * their reason; `violations` of the convention.
 */
export function examplesOf(page) {
  const found = { runs: [], skipped: [], violations: [] };
  for (const { line, info, text } of fencedBlocks(page)) {
    const [language, ...rest] = info.split(' ');
    const mark = rest.join(' ');
    if (info === 'sh run') found.runs.push({ line, text, outputs: [] });
    else if (language === 'sh' && /^not-run: \S/.test(mark)) found.skipped.push({ line, reason: mark.slice('not-run: '.length) });
    else if (language === 'sh') found.violations.push(`line ${line}: \`${info}\` has neither run nor not-run: REASON`);
    else if (mark === 'output' && ['json', 'text'].includes(language)) {
      if (found.runs.length === 0) found.violations.push(`line ${line}: an output before any command`);
      else found.runs.at(-1).outputs.push({ line, form: language, text });
    } else if (mark) found.violations.push(`line ${line}: \`${info}\` is no mark of an example`);
  }
  for (const [index, line] of page.split('\n').entries()) {
    if (/^ {4}(curl|api) .*\$URL/.test(line)) found.violations.push(`line ${index + 1}: an indented command for $URL does not run`);
  }
  return found;
}

const ANY = '...';

/** Returns the first difference of `actual` from the stated JSON as a path and the value there, or null. */
export function jsonDifference(stated, actual, path = '$') {
  if (stated === ANY) return null;
  if (Array.isArray(stated)) {
    if (!Array.isArray(actual)) return `${path}: not an array: ${JSON.stringify(actual)}`;
    const open = stated.at(-1) === ANY;
    const named = open ? stated.slice(0, -1) : stated;
    if (open ? actual.length < named.length : actual.length !== named.length) return `${path}: ${actual.length} elements`;
    return firstOf(named.map((value, i) => () => jsonDifference(value, actual[i], `${path}[${i}]`)));
  }
  if (stated !== null && typeof stated === 'object') {
    if (actual === null || typeof actual !== 'object' || Array.isArray(actual)) return `${path}: not an object: ${JSON.stringify(actual)}`;
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

/** Returns whether a text matches the stated one, where `...` matches anything in a line, and a line `...` any lines. */
export function textMatches(stated, actual) {
  const lines = stated.trimEnd().split('\n');
  const pattern = lines.map((line) => line.trim() === ANY ? '(?:.*\n)*?' : `${line.split(ANY).map(quoted).join('.*')}\n`).join('');
  return new RegExp(`^${pattern}$`).test(`${actual.replaceAll('\r\n', '\n').trimEnd()}\n`);
}
