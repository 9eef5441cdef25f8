// Random requests as case files (tests/cases/README.md) without expectations: several accounts of every plan search, edit
// collections and use up their limits, while an operator changes accounts, keys and plans, and the clock advances.

import { readFileSync } from 'node:fs';

import { changedCollection, changedItem, fieldsOf, files, newCollection, newItems, order, plan, preferenceOf, session, textOf } from './bodies.mjs';
import { Draw } from './draw.mjs';
import { collectionSimilarQuery, metaQuery, searchQuery, similarQuery } from './queries.mjs';

const tracks = readFileSync(new URL('../cases/catalog.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line).id);
const NON_COMMERCIAL = 'tb-203';
const STRANGERS = ['os-9999', 'x', 'os-', 'OS-101', '%20', '%ff', 'x'.repeat(201), '..%2f'];

const PEOPLE = ['free:ann', 'free:ben', 'pro:pia', 'pro:pol', 'unlimited:uma', 'unlimited:udo'];
const COLLECTIONS_OF = { free: 1, pro: 3, unlimited: 4 };
const ADMIN_TOKEN_WRONG = { Authorization: 'Bearer no-token' };
const DAY_S = 86_400;
const FREE_CALLS_A_MINUTE = 20;
const FORMATS = ['json', 'text', 'markdown', 'csv', 'html', 'youtube', 'reuse', 'attributions'];

class CaseFile {
  #draw;
  #lines = [];
  #people;
  /** The known content of each collection. */
  #members = new Map();

  constructor(draw) {
    this.#draw = draw;
    this.#people = PEOPLE.map((as) => {
      const [kind, name] = as.split(':');
      const collections = Array.from({ length: COLLECTIONS_OF[kind] }, (_, i) => `${name}.c${i}`);
      return { as, kind, name, collections };
    });
    this.#add({ file: { captures: 'optional' } });
    for (const one of this.#people) this.#begin(one);
    this.#provoke(this.#people.at(-1));
    this.#add({ as: this.#people[0].as, method: 'GET', target: '/v1/meta?limit=1', capture: { version: 'header:Tonearm-Catalog' } });
  }

  get length() {
    return this.#lines.length;
  }

  text() {
    return `${this.#lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  }

  /** At the end, sends more requests for an account than its plan allows in a minute. */
  end() {
    const draw = this.#draw;
    const { as, name } = draw.of(this.#people);
    this.#add({ admin: 'PATCH', target: `/admin/accounts/{${name}}`, body: { plan: 'free' } });
    for (let left = FREE_CALLS_A_MINUTE + 2; left > 0; --left) this.#add({ as, method: 'GET', target: '/v1/meta?limit=1' });
  }

  /** Adds one request, or a few related ones. */
  next() {
    const draw = this.#draw;
    const person = this.#people[draw.weighted([[3, 0], [2, 1], [4, 2], [3, 3], [6, 4], [3, 5]])];
    draw.weighted([
      [28, () => this.#search(person)],
      [5, () => this.#send(person, 'GET', `/v1/meta${metaQuery(draw)}`)],
      [6, () => this.#send(person, 'GET', `/v1/tracks/${this.#track()}${draw.chance(0.05) ? '?fields=id' : ''}`)],
      [3, () => this.#send(person, 'GET', `/v1/tracks?ids=${Array.from({ length: draw.between(1, 6) }, () => this.#track()).join(',')}${draw.chance(0.3) ? '&fields=title,license' : ''}`)],
      [6, () => this.#send(person, 'GET', `/v1/tracks/${this.#track()}/similar${similarQuery(draw)}`)],
      [3, () => this.#write(person, 'POST', '/v1/credits/match', null, files(draw))],
      [40, () => this.#collection(person)],
      [2, () => this.#fill(person)],
      [0.3, () => this.#exceedLimit(person)],
      [0.6, () => this.#lapse(person)],
      [9, () => this.#administer(person)],
      [2, () => this.#unknownRoute(person)],
    ])();
  }

  #add(line) {
    this.#lines.push(line);
  }

  /** Creates the accounts and collections that later requests use. */
  #begin({ as, name, collections }) {
    for (const captured of collections) {
      this.#members.set(captured, []);
      const body = { name: `Of ${name}` };
      const capture = { [captured]: '/id', [`${captured}.rev`]: '/revision' };
      this.#add({ as, method: 'POST', target: '/v1/collections', body, capture });
    }
    const key = { [`${name}.key2`]: '/key', [`${name}.key2_id`]: '/key_id' };
    this.#add({ admin: 'POST', target: `/admin/accounts/{${name}}/keys`, body: {}, capture: key });
    const opened = { [`${name}.session`]: '/key', [`${name}.session_id`]: '/key_id' };
    this.#add({ admin: 'POST', target: `/admin/accounts/{${name}}/sessions`, body: { ttl_s: 7_200 }, capture: opened });
  }

  /** Sends what random requests rarely contain, so that each file has answers 413 and 422. */
  #provoke({ as }) {
    const captured = 'commercial.c';
    this.#add({ as, method: 'POST', target: '/v1/collections', body: { name: 'Commercial', commercial: true }, capture: { [captured]: '/id' } });
    this.#add({ as, method: 'POST', target: `/v1/collections/{${captured}}/items`, body: { track: NON_COMMERCIAL } });
    this.#add({ as, method: 'POST', target: `/v1/collections/{${captured}}/items`, body: ' '.repeat(65_537) });
  }

  /** Advances the clock: mostly not at all, sometimes by months. */
  #time() {
    const draw = this.#draw;
    const advance = draw.weighted([
      [70, 0],
      [22, draw.between(1, 20)],
      [5, draw.between(30, 90)],
      [1.5, draw.between(3_000, 50_000)],
      [0.5, draw.between(1, 3) * DAY_S],
      [0.2, draw.between(28, 130) * DAY_S],
    ]);
    return advance > 0 ? { advance_s: advance } : {};
  }

  /** Returns the header with a key of the account, or with an invalid one. */
  #credentials({ as, name }) {
    const draw = this.#draw;
    const bearer = (value) => ({ headers: { Authorization: value } });
    return draw.weighted([
      [85, { as }],
      [5, bearer(`Bearer {${name}.key2}`)],
      [5, bearer(`bearer {${name}.session}`)],
      [1, bearer(`Bearer {${name}.key}x`)],
      [1, bearer(`Basic {${name}.key}`)],
      [0.5, bearer('Bearer ')],
      [0.5, bearer('Bearer tonearm_0')],
      [1, {}],
    ]);
  }

  #send(person, method, target, { headers = {}, ...more } = {}) {
    const draw = this.#draw;
    const credentials = this.#credentials(person);
    const other = draw.of(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']);
    const used = draw.chance(0.02) ? other : method === 'GET' && draw.chance(0.03) ? 'HEAD' : method;
    const fields = { ...credentials.headers, ...headers };
    if (used === 'GET' && draw.chance(0.05)) fields['If-None-Match'] = draw.of(['*', '{etag}', 'W/{etag}', '"none"', 'odd']);
    const line = { ...this.#time(), ...credentials, ...more, method: used, target, headers: fields };
    if (used === 'HEAD') delete line.body;
    else if (used === 'GET' && draw.chance(0.1)) line.capture = { etag: 'header:ETag', ...more.capture };
    this.#add(line);
  }

  #search(person) {
    const draw = this.#draw;
    const query = searchQuery(draw);
    this.#send(person, 'GET', `/v1/search${query}`, { capture: { cursor: '/cursor' } });
    if (query === '' || query.includes('cursor=') || draw.chance(0.8)) return;
    this.#send(person, 'GET', `/v1/search${query}&cursor={cursor}`);
  }

  #track() {
    const draw = this.#draw;
    return draw.chance(0.07) ? draw.of(STRANGERS) : draw.of(tracks);
  }

  #write(person, method, target, captured, value) {
    const draw = this.#draw;
    const headers = { ...fieldsOf(draw), ...preferenceOf(draw) };
    const capture = captured === null ? {} : { [`${captured}.rev`]: '/revision' };
    this.#send(person, method, target, { headers, body: textOf(draw, value), capture });
  }

  #collection(person) {
    const draw = this.#draw;
    const owner = draw.chance(0.04) ? draw.of(this.#people) : person;
    const captured = draw.of(owner.collections);
    const path = `/v1/collections/${draw.chance(0.02) ? draw.of(['col_0', 'x', '%20']) : `{${captured}}`}`;
    draw.weighted([
      [4, () => this.#send(person, 'GET', `/v1/collections${draw.chance(0.05) ? '?limit=5' : ''}`)],
      [2, () => this.#send(person, 'GET', `/v1/license-changes${draw.of(['', '', '?limit=1', '?limit=201', '?cursor=3', '?cursor=x'])}`)],
      [1, () => this.#send(person, 'GET', `/v1/changes${draw.of(['?since={version}', '?since={version}&cursor=3', '?since=0123456789abcdef', '?since=x&limit=1001', ''])}`)],
      [2, () => this.#send(person, 'GET', `/v1/usage${draw.chance(0.05) ? '?days=5' : ''}`)],
      [3, () => this.#create(person)],
      [6, () => this.#send(person, 'GET', path)],
      [5, () => this.#write(person, 'PATCH', path, captured, changedCollection(draw, `${captured}.rev`))],
      [0.7, () => this.#delete(person, path)],
      [9, () => this.#addItems(person, path, captured)],
      [5, () => this.#changeItem(person, path, captured)],
      [4, () => this.#removeItem(person, path, captured)],
      [4, () => this.#order(person, path, captured)],
      [5, () => this.#credits(person, path)],
      [4, () => this.#send(person, 'GET', `${path}/similar${collectionSimilarQuery(draw, this.#members.get(captured))}`)],
    ])();
  }

  #create(person) {
    const draw = this.#draw;
    const captured = draw.of(person.collections);
    const capture = { [captured]: '/id', [`${captured}.rev`]: '/revision' };
    const body = textOf(draw, newCollection(draw));
    const headers = { ...fieldsOf(draw), ...preferenceOf(draw) };
    this.#send(person, 'POST', '/v1/collections', { headers, body, capture });
  }

  #delete(person, path) {
    const how = this.#draw.of(['?confirm=true', '', '?confirm=yes', '?confirm=true&revision=1', 'header']);
    const headers = how === 'header' ? { 'X-Confirm': 'true' } : {};
    this.#send(person, 'DELETE', path + (how === 'header' ? '' : how), { headers });
  }

  #addItems(person, path, captured) {
    const draw = this.#draw;
    const count = draw.weighted([[6, 1], [3, draw.between(2, 6)], [0.5, 25], [0.2, 26], [0.1, 0]]);
    const ids = draw.some(tracks, count);
    if (draw.chance(0.05)) ids[0] = draw.of(STRANGERS);
    else this.#members.set(captured, [...new Set([...this.#members.get(captured), ...ids])]);
    this.#write(person, 'POST', `${path}/items`, captured, newItems(draw, `${captured}.rev`, ids));
  }

  #member(captured) {
    const members = this.#members.get(captured);
    return members.length === 0 || this.#draw.chance(0.1) ? this.#track() : this.#draw.of(members);
  }

  #changeItem(person, path, captured) {
    const body = changedItem(this.#draw, `${captured}.rev`);
    this.#write(person, 'PATCH', `${path}/items/${this.#member(captured)}`, captured, body);
  }

  #removeItem(person, path, captured) {
    const id = this.#member(captured);
    this.#members.set(captured, this.#members.get(captured).filter((one) => one !== id));
    const draw = this.#draw;
    const guard = draw.weighted([[6, ''], [2, `?revision={${captured}.rev}`], [1, '?revision=1'], [0.3, '?revision=0']]);
    const more = { headers: preferenceOf(draw), capture: { [`${captured}.rev`]: '/revision' } };
    this.#send(person, 'DELETE', `${path}/items/${id}${guard}`, more);
  }

  #order(person, path, captured) {
    const draw = this.#draw;
    const ids = draw.shuffled(this.#members.get(captured));
    this.#write(person, 'PUT', `${path}/order`, captured, order(draw, `${captured}.rev`, ids));
  }

  #credits(person, path) {
    const draw = this.#draw;
    const format = draw.of([...FORMATS, 'xml', '']);
    const heading = draw.weighted([[8, ''], [2, draw.of(['heading=Music', 'heading=%3Cb%3E+%22x%22', 'heading=', 'heading=%0A'])]]);
    this.#send(person, 'GET', `${path}/credits?${format && `format=${format}`}&${heading}`);
  }

  /** Creates a collection with known members, and sends the requests that need them. */
  #fill(person) {
    const draw = this.#draw;
    const { as } = person;
    const captured = draw.of(person.collections);
    const capture = { [captured]: '/id', [`${captured}.rev`]: '/revision' };
    const ids = draw.some(tracks, draw.between(1, 12));
    const path = `/v1/collections/{${captured}}`;
    this.#members.set(captured, ids);
    this.#add({ as, method: 'POST', target: '/v1/collections', body: { name: 'Filled', commercial: draw.chance(0.3) }, capture });
    this.#add({ as, method: 'POST', target: `${path}/items`, body: { tracks: ids } });
    this.#add({ as, method: 'PUT', target: `${path}/order`, body: { tracks: draw.shuffled(ids) } });
    for (const id of draw.some(ids, 2)) {
      const body = { modifications: { chips: ['looped'] }, note: 'n' };
      this.#add({ as, method: 'PATCH', target: `${path}/items/${id}`, body });
    }
    for (const format of draw.some(FORMATS, 3)) {
      this.#add({ as, method: 'GET', target: `${path}/credits?format=${format}` });
    }
    this.#add({ as, method: 'GET', target: `${path}/similar${collectionSimilarQuery(draw, ids)}` });
    this.#add({ as, method: 'GET', target: path });
  }

  /** Sends more calls than some plans allow in a minute. */
  #exceedLimit({ as }) {
    const draw = this.#draw;
    const targets = ['/v1/collections', '/v1/search?limit=1', '/v1/meta?limit=1', '/v1/nothing'];
    for (let left = draw.between(20, 70); left > 0; --left) this.#add({ as, method: 'GET', target: draw.of(targets) });
  }

  /** Ends the plan, which makes all collections but one read-only (COLLECTION-10), and restores it later. */
  #lapse({ as, kind, name, collections }) {
    const draw = this.#draw;
    const change = (plan) => this.#add({ admin: 'PATCH', target: `/admin/accounts/{${name}}`, body: { plan } });
    change('free');
    for (const captured of draw.shuffled(collections)) {
      const path = `/v1/collections/{${captured}}`;
      this.#add({ as, method: 'POST', target: `${path}/items`, body: { track: draw.of(tracks) } });
      this.#add({ as, method: 'GET', target: draw.of([path, '/v1/collections', `${path}/credits`]) });
    }
    if (draw.chance(0.8)) change(kind);
  }

  #administer(person) {
    const draw = this.#draw;
    const { name } = person;
    const account = draw.chance(0.03) ? '/admin/accounts/acc_0' : `/admin/accounts/{${name}}`;
    const key = { [`${name}.key2`]: '/key', [`${name}.key2_id`]: '/key_id' };
    const opened = { [`${name}.session`]: '/key', [`${name}.session_id`]: '/key_id' };
    const [method, target, more = {}] = draw.weighted([
      [1, () => ['GET', '/admin/accounts']],
      [2, () => ['GET', account]],
      [0.5, () => ['POST', '/admin/accounts', { value: plan(draw) }]],
      [3, () => ['PATCH', account, { value: plan(draw) }]],
      [0.15, () => ['DELETE', account]],
      [2, () => ['GET', `${account}/keys`]],
      [2, () => ['POST', `${account}/keys`, { value: {}, capture: key }]],
      [1.5, () => ['DELETE', `/admin/keys/{${name}.key2_id}`]],
      [0.5, () => ['DELETE', `/admin/keys/{${name}.session_id}`]],
      [2, () => ['POST', `${account}/sessions`, { value: session(draw), capture: opened }]],
      [4, () => ['GET', `${account}/calls${draw.of(['', '?limit=5', '?limit=1', '?limit=0', '?unknown=1'])}`]],
      [3, () => ['GET', `${account}/usage`]],
      [0.5, () => [draw.of(['PUT', 'POST', 'GET']), draw.of(['/admin/nothing', '/admin/keys', '/admin/accounts/'])]],
    ])();
    const { value, ...rest } = more;
    const line = { ...this.#time(), admin: draw.chance(0.02) ? 'PUT' : method, target, ...rest };
    if (value !== undefined) Object.assign(line, { headers: fieldsOf(draw), body: textOf(draw, value) });
    if (draw.chance(0.02)) line.headers = { ...line.headers, ...ADMIN_TOKEN_WRONG };
    this.#add(line);
  }

  #unknownRoute(person) {
    const draw = this.#draw;
    const targets = ['/v1/nothing', '/v1/search/', '/v1', '/v1/', '/', '/healthz', '/readyz', '/healthz?x=1', '/openapi.json',
      '/v2/search', '/v1/collections/', '/v1/tracks/', '/v1/tracks//similar'];
    this.#send(person, 'GET', draw.of(targets));
  }
}

/** Returns the text of a case file with about `requests` requests. */
export function randomCaseFile(seed, requests) {
  const file = new CaseFile(new Draw(seed));
  while (file.length < requests) file.next();
  file.end();
  return file.text();
}
