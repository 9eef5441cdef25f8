// Sends the searches of queries.jsonl to running servers, with match=all and match=most, and prints Markdown tables: the
// number of tracks found, and how many of the first five fit the judgments in that file.
// Usage: node tests/real/ask.mjs BASE_URL KEY [BASE_URL KEY]      (a second server shows results after a change)
import { readFileSync } from "node:fs";

const SHOWN = 5;
const MODES = ["all", "most"];
const KINDS = { "Music": "music", "Effects": "sfx" };

const servers = [];
for (let i = 2; i + 1 < process.argv.length; i += 2) servers.push({ base: process.argv[i], key: process.argv[i + 1] });
if (servers.length === 0 || servers.length > 2 || process.argv.length % 2 !== 0) {
  console.error("usage: node tests/real/ask.mjs BASE_URL KEY [BASE_URL KEY]");
  process.exit(2);
}

const escape = (text) => text.replace(/[\\`*_|[\]<>&#]/g, (c) => `\\${c}`);

const queries = readFileSync(new URL("queries.jsonl", import.meta.url), "utf8").trim().split("\n").map((line) => JSON.parse(line));

async function ask({ base, key }, target) {
  for (;;) {
    const response = await fetch(base + target, { headers: { Authorization: `Bearer ${key}` } });
    const answer = await response.json();
    if (response.status === 200) return answer;
    if (response.status !== 429) throw new Error(`${target}: ${response.status} ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("Retry-After"))));
  }
}

/** Summarizes the answer of a server: the total, the tracks shown, how many fit, and which have no judgment. */
function summarize({ fits, misfits }, { total, tracks }) {
  const ids = tracks.map((track) => track.id);
  return { total, tracks, shown: ids.length, fit: ids.filter((id) => fits.includes(id)).length,
    unjudged: ids.filter((id) => !fits.includes(id) && !misfits.includes(id)) };
}

/** answers[query][mode][server] */
const answers = [];
for (const query of queries) {
  const modes = {};
  for (const mode of MODES) {
    modes[mode] = [];
    for (const server of servers) modes[mode].push(summarize(query, await ask(server, `${query.target}&match=${mode}&limit=${SHOWN}`)));
  }
  answers.push(modes);
}

const compared = (values) => values.filter((value, i) => i === 0 || value !== values[0]).join(" → ");
const fitted = ({ fit, shown }) => (shown === 0 ? "-" : `${fit} of ${shown}`);

for (const [heading, kind] of Object.entries(KINDS)) {
  const part = queries.map((_, i) => i).filter((i) => queries[i].target.includes("kind=sfx") === (kind === "sfx"));
  console.log(`\n### ${heading}\n\n| need | search | all: found | fit | most: found | fit | the first with most |\n|---|---|---|---|---|---|---|`);
  for (const i of part) {
    const { need, target } = queries[i];
    const cells = MODES.flatMap((mode) => [compared(answers[i][mode].map(({ total }) => total)), compared(answers[i][mode].map(fitted))]);
    const [first] = answers[i].most.at(-1).tracks;
    const title = first ? `${escape(first.title)} (${escape(first.artist || "no artist")}, ${first.license.name})` : "";
    console.log(`| ${need} | \`${target.replace("/v1/search?", "").replace("kind=sfx&", "")}\` | ${cells.join(" | ")} | ${title} |`);
  }
  console.log(`\n| ${heading.toLowerCase()} | all | most |\n|---|---|---|`);
  const row = (name, value) => {
    const cells = MODES.map((mode) => compared(servers.map((_, s) => value(part.map((i) => answers[i][mode][s])))));
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  };
  const sum = (list, of) => list.reduce((total, each) => total + of(each), 0);
  row(`of ${part.length} searches, nothing found`, (list) => sum(list, ({ total }) => (total === 0 ? 1 : 0)));
  row("of the first five, fit", (list) => {
    const shown = sum(list, (each) => each.shown);
    const fit = sum(list, (each) => each.fit);
    return `${fit} of ${shown} (${shown ? Math.round((100 * fit) / shown) : 0} %)`;
  });
}
const unjudged = queries.flatMap((query, i) => MODES.flatMap((mode) => answers[i][mode].flatMap((each) => each.unjudged.map((id) => `${query.target}: ${id}`))));
if (unjudged.length > 0) console.log(`\nNobody judged:\n${[...new Set(unjudged)].join("\n")}`);
