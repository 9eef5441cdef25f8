// Forgotten passwords: recovery codes of people, and codes of the operator.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import { bin } from '../http/server_process.mjs';
import { startPostgresql } from '../postgresql/servers.mjs';
import { LaunchedServer } from '../support/launched_server.mjs';
import { nativeApi, SiteFolder, startSite, Visitor } from './site_process.mjs';

after(() => LaunchedServer.endAll());

const PASSWORD = 'a long password';
const CODE = /^([0-9a-hjkmnp-tv-z]{4}-){7}[0-9a-hjkmnp-tv-z]{4}$/;

describe('a forgotten password', { timeout: 240_000 }, () => {
  let folder, api, site, url;
  before(async () => {
    folder = new SiteFolder();
    api = await nativeApi(folder);
    site = await startSite(folder, api);
    url = site.url;
  });
  after(async () => {
    await site?.stop();
    await api?.stop();
    folder?.remove();
  });

  const signUp = async (name) => {
    const visitor = await Visitor.withSession(url);
    const { body } = await visitor.request('POST', '/site/sign-up', { body: { name, password: PASSWORD } });
    return { visitor, code: body.recovery_code };
  };
  const signIn = async (name, password) => (await Visitor.withSession(url)).request('POST', '/site/sign-in', { body: { name, password } });
  const recover = (visitor, body) => visitor.request('POST', '/site/recover', { body });
  const reset = (name, store = []) => spawnSync(join(bin, 'tonearm-web'), ['--data', folder.at('site'), '--admin-token-file', folder.at('token'), ...store, '--reset-password', name],
    { encoding: 'utf8', timeout: 30_000 });

  it('is replaced once with the code of the sign-up, which ends all sessions (WEB-32)', async () => {
    const { visitor, code } = await signUp('forgetful');
    assert.match(code, CODE);
    assert.equal((await visitor.get('/site/session')).body.recovery_code, undefined);
    assert.equal((await visitor.get('/site/usage')).status, 200);
    const fresh = await Visitor.withSession(url);
    for (const body of [{ name: 'forgetful', code }, { name: 'forgetful', code, new_password: 'short' }, { name: 'forgetful', code, new_password: 'forgetful' }, []]) {
      assert.equal((await recover(fresh, body)).status, 400, JSON.stringify(body));
    }
    const set = await recover(fresh, { name: 'FORGETFUL', code: code.toUpperCase().replaceAll('-', ' '), new_password: 'another password' });
    assert.deepEqual([set.status, set.body.account?.name], [200, 'forgetful']);
    assert.match(set.body.recovery_code, CODE);
    assert.notEqual(set.body.recovery_code, code);
    assert.equal((await fresh.get('/site/usage')).status, 200);
    assert.equal((await visitor.get('/site/usage')).status, 401);
    assert.equal((await signIn('forgetful', PASSWORD)).status, 401);
    assert.equal((await signIn('forgetful', 'another password')).status, 200);
    const again = await recover(await Visitor.withSession(url), { name: 'forgetful', code, new_password: 'a third password' });
    assert.deepEqual([again.status, again.body.error], [401, 'wrong_code']);
    assert.equal((await recover(await Visitor.withSession(url), { name: 'forgetful', code: set.body.recovery_code, new_password: 'a third password' })).status, 200);
  });

  it('is not replaced with a code of another person, or from another site (WEB-9, WEB-32)', async () => {
    const { code } = await signUp('first');
    await signUp('second');
    const visitor = await Visitor.withSession(url);
    for (const name of ['second', 'nobody-at-all']) {
      const refused = await recover(visitor, { name, code, new_password: 'another password' });
      assert.deepEqual([refused.status, refused.body.error], [401, 'wrong_code']);
    }
    const foreign = await visitor.request('POST', '/site/recover', { body: { name: 'first', code, new_password: 'another password' }, headers: { Origin: 'https://evil.example' } });
    assert.equal(foreign.status, 403);
    assert.equal((await signIn('first', PASSWORD)).status, 200);
  });

  it('is guessed as slowly as a password (WEB-8, WEB-32)', async () => {
    await signUp('target');
    const visitor = await Visitor.withSession(url);
    const statuses = [];
    for (let tries = 0; tries < 8; tries += 1) statuses.push((await recover(visitor, { name: 'target', code: 'x', new_password: 'another password' })).status);
    assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
    assert.ok(statuses.includes(429), statuses.join());
  });

  it('has a new code on request, given the password (WEB-32)', async () => {
    const { visitor, code } = await signUp('careful');
    const request = (password, options) => visitor.request('POST', '/site/recovery-code', { body: { password }, ...options });
    assert.equal((await request('a wrong password')).status, 401);
    assert.equal((await request(PASSWORD, { headers: { 'X-CSRF-Token': '' } })).status, 403);
    assert.equal((await (await Visitor.withSession(url)).request('POST', '/site/recovery-code', { body: { password: PASSWORD } })).body.error, 'signed_out');
    const made = await request(PASSWORD);
    assert.equal(made.status, 200);
    assert.match(made.body.recovery_code, CODE);
    const old = await recover(await Visitor.withSession(url), { name: 'careful', code, new_password: 'another password' });
    assert.equal(old.status, 401);
    assert.equal((await recover(await Visitor.withSession(url), { name: 'careful', code: made.body.recovery_code, new_password: 'another password' })).status, 200);
  });

  it('is reset by the operator with a one-time code while the site runs (WEB-33)', async () => {
    await signUp('helpless');
    const printed = reset('Helpless');
    assert.equal(printed.status, 0, printed.stderr);
    const code = printed.stdout.trim();
    assert.match(code, CODE);
    assert.equal((await recover(await Visitor.withSession(url), { name: 'helpless', code, new_password: 'another password' })).status, 200);
    assert.equal((await recover(await Visitor.withSession(url), { name: 'helpless', code, new_password: 'a third password' })).status, 401);
    const unknown = reset('nobody-at-all');
    assert.deepEqual([unknown.status, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /nobody has the name nobody-at-all/);
    assert.match(reset('helpless', ['--store', folder.at('nothing.sqlite')]).stderr, /does not exist/);
    assert.ok(!site.log.includes(code));
  });

  it('is reset in a PostgreSQL store (WEB-33)', async () => {
    const postgresql = await startPostgresql();
    const store = postgresql.freshSchema();
    const other = await startSite(folder, api, ['--store', store]);
    const visitor = await Visitor.signedUp(other.url, 'shared');
    const printed = reset('shared', ['--store', store]);
    assert.equal(printed.status, 0, printed.stderr);
    const set = await recover(await Visitor.withSession(other.url), { name: 'shared', code: printed.stdout.trim(), new_password: 'another password' });
    assert.equal(set.status, 200);
    assert.equal((await visitor.get('/site/usage')).status, 401);
    await other.stop();
    await postgresql.end();
  });
});
