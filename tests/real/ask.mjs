// Asks a running server the questions of queries.jsonl and prints what it found as a Markdown table.
// Usage: node tests/real/ask.mjs http://127.0.0.1:8080 KEY
import { readFileSync } from "node:fs";

const [base, key] = process.argv.slice(2);
if (!base || !key) {
  console.error("usage: node tests/real/ask.mjs BASE_URL KEY");
  process.exit(2);
}

const escape = (text) => text.replace(/[\\`*_|[\]<>&#]/g, (c) => `\\${c}`);

const lines = readFileSync(new URL("queries.jsonl", import.meta.url), "utf8").trim().split("\n");
console.log("| need | search | total | first three |\n|---|---|---|---|");
for (const line of lines) {
  const { need, target } = JSON.parse(line);
  const response = await fetch(base + target, { headers: { Authorization: `Bearer ${key}` } });
  const answer = await response.json();
  if (response.status !== 200) throw new Error(`${target}: ${response.status} ${JSON.stringify(answer)}`);
  const tracks = answer.tracks.map((track) => `${escape(track.title)} (${escape(track.artist)}, ${track.license.name})`);
  const suggestions = (answer.suggestions ?? []).map((suggestion) => `suggested: ${escape(suggestion.message)}`);
  const found = [...tracks, ...suggestions].join("; ");
  console.log(`| ${need} | \`${target.replace("/v1/search?", "").replace("&limit=3", "")}\` | ${answer.total} | ${found} |`);
}
