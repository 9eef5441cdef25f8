// An assistant that knows only the address of `/mcp`, and a person in a browser: from nothing to a credited soundtrack (docs/guide/assistant.md).
// TONEARM_PICTURES=FOLDER also saves pictures of what the person sees.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { OauthClient } from '../mcp/oauth_client.mjs';
import { signUp, Stage } from './stage.mjs';

const CALLBACK = 'http://127.0.0.1:1/callback'; // nobody listens: the test reads the address of the browser
const pictures = process.env.TONEARM_PICTURES;
let stage;
before(async () => { stage = await Stage.open({ assistants: true }); });
after(() => stage?.end());

const picture = async (page, name) => { if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) }); };

test('an assistant signs a person in, finds tracks for commercial use, keeps them, and credits them (MCP-20, MCP-6)', async () => {
  const person = await stage.visit('/', { viewport: { width: 1000, height: 760 } });
  await signUp(person);

  const assistant = new OauthClient(`${stage.api.url}/mcp`, { redirectUrl: CALLBACK, name: 'Film assistant' });
  const page = await assistant.start();
  await person.goto(page.href);
  await person.waitForSelector('.permissions');
  await picture(person, 'assistant-consent');
  const returning = person.waitForRequest((request) => request.url().startsWith(CALLBACK));
  await person.click('.panel button.primary');
  await assistant.finish(new URL((await returning).url()));

  const call = async (name, given) => {
    const { isError, content, structuredContent } = await assistant.call(name, given);
    assert.notEqual(isError, true, content[0].text);
    return structuredContent;
  };
  const { tracks } = await call('search_tracks', { q: 'calm piano', commercial: true, limit: 2 });
  assert.deepEqual(tracks.map(({ title }) => title).sort(), ['Amber Piano', 'Glass Piano']);
  const { collection_id: collection } = await call('create_collection', { name: 'Night train documentary', commercial: true });
  await call('add_tracks', { collection_id: collection, track_ids: tracks.map(({ track_id: id }) => id) });
  const credits = await assistant.call('export_credits', { collection_id: collection, format: 'youtube' });
  assert.notEqual(credits.isError, true);
  assert.match(credits.content[0].text, /By Ada Example, licensed under CC BY 4\.0 .*:\n"Amber Piano"/);

  await person.goto(`${stage.url}/collections/${collection}`);
  await person.waitForSelector('.item');
  assert.deepEqual((await person.$$eval('.item h3', (titles) => titles.map((it) => it.textContent))).sort(), ['Amber Piano', 'Glass Piano']);
  await picture(person, 'assistant-collection');
  await person.goto(`${stage.url}/account`);
  const connections = person.locator('section[aria-labelledby=connections-title]');
  await connections.getByText('Film assistant').waitFor();
  await connections.scrollIntoViewIfNeeded();
  await picture(person, 'assistant-connections');
  await connections.locator('button.danger').click();
  await connections.getByText('No application is connected.').waitFor();
  await assert.rejects(assistant.call('list_collections'), /Unauthorized/);
});
