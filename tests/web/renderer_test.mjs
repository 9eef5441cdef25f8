// The site's render processes: one that ends loses no page (WEB-48).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';

import { childrenOf, isRunning } from '../support/processes.mjs';
import { eventually } from '../support/waiting.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { nativeApi, SiteFolder, startSite, Visitor } from './site_process.mjs';

describe('render processes', { timeout: 300_000 }, () => {
  let folder, site, visitor;
  before(async () => {
    folder = new SiteFolder();
    site = await startSite(folder, await nativeApi(folder));
    visitor = new Visitor(site.url);
  });
  after(async () => {
    await LaunchedServer.endAll();
    folder.remove();
  });

  let pages = 0;
  const page = () => visitor.get(`/?q=rain&page=${pages += 1}`); // none is cached

  it('are replaced when they end, and no page is lost (WEB-48)', async () => {
    assert.equal((await page()).status, 200);
    const first = childrenOf(site.pid);
    assert.ok(first.length >= 1 && first.length <= 4, String(first));
    for (const pid of first) assert.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), /--render-worker/);
    for (const pid of first) process.kill(pid, 'SIGKILL');
    const answers = await Promise.all(Array.from({ length: 12 }, page));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.match(site.log, / error the process that renders pages ended: signal 9/);
    for (let i = 0; i < 10; i += 1) {
      process.kill(childrenOf(site.pid)[0], 'SIGKILL');
      assert.equal((await page()).status, 200);
    }
  });

  it('end with the site, even if it is killed', async () => {
    const pids = childrenOf(site.pid);
    await site.stop('SIGKILL');
    await eventually(() => pids.every((pid) => !isRunning(pid)), 'all have ended');
  });
});
