// Simulates the part of the platform's API that a deployment uses, with workers and buckets in memory. It rejects what the
// platform rejects: inheriting a secret that the worker does not have, binding objects of a worker that does not exist, and
// binding a class without tables. It answers unknown requests with 404 and records them in `unknown`.

import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';

const PREFIX = '/client/v4/accounts/';
/** Error codes of the platform. */
const NO_WORKER = 10007;
const NO_CLASS = 10061;
const NO_SECRET = 10057;
const NO_BUCKET = 10006;

class Rejected extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

async function formOf(request, body) {
  const form = await new Response(body, { headers: { 'Content-Type': request.headers['content-type'] } }).formData();
  const metadata = JSON.parse(form.get('metadata'));
  const modules = [];
  for (const [name, part] of form) {
    if (name !== 'metadata') modules.push({ name, type: part.type, contents: Buffer.from(await part.arrayBuffer()) });
  }
  return { metadata, modules };
}

export class PlatformApi {
  account = 'ac00000000000000000000000000test';
  buckets = new Map();
  workers = new Map();
  /** Unknown requests. */
  unknown = [];
  #server;

  static async start() {
    const api = new PlatformApi();
    api.#server = createServer((request, response) => void api.#serve(request, response));
    await new Promise((resolve) => api.#server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  /** For CLOUDFLARE_API_BASE_URL. */
  get address() {
    return `http://127.0.0.1:${this.#server.address().port}/client/v4`;
  }

  /** Returns the version that serves all calls of a worker. */
  deployed(name) {
    const worker = this.workers.get(name);
    const [{ versions }] = worker.deployments;
    return worker.versions.find(({ id }) => id === versions[0].version_id);
  }

  end() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request, response) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { pathname, searchParams } = new URL(request.url, 'http://platform');
    let status = 200;
    let answer;
    try {
      const path = pathname.slice((PREFIX + this.account).length + 1).split('/');
      const result = await this.#answer(request, path, Buffer.concat(parts), searchParams);
      answer = { success: true, errors: [], messages: [], result };
    } catch (error) {
      if (!(error instanceof Rejected)) console.error(error);
      status = error.status ?? 500;
      answer = { success: false, errors: [{ code: error.code ?? 10000, message: error.message }], messages: [], result: null };
    }
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  }

  async #answer(request, [area, kind, name, part, id, ...rest], body, query) {
    const what = `${request.method} ${[area, kind, part].filter(Boolean).join(' ')}`;
    const json = () => JSON.parse(body.toString('utf8'));
    switch (what) {
      case 'POST r2 buckets':
        this.buckets.set(json().name, new Map());
        return {};
      case 'GET r2 buckets':
        return name === undefined ? { buckets: [...this.buckets.keys()].map((one) => ({ name: one })) } : this.#bucket(name) && { name };
      case 'PUT r2 buckets objects':
        this.#bucket(name).set(decodeURIComponent([id, ...rest].join('/')), body);
        return {};
      case 'GET workers subdomain':
        return { subdomain: 'of-the-test' };
      case 'GET workers services': {
        const { tag, tags } = this.#worker(name);
        return { default_environment: { environment: 'production', script: { tag, tags, last_deployed_from: 'wrangler' } } };
      }
      case 'GET workers scripts':
        return [...this.workers].map(([script, worker]) => ({ id: script, migration_tag: worker.migrationTag }));
      case 'PUT workers scripts':
        return this.#upload(name, await formOf(request, body), query);
      case 'GET workers scripts secrets':
        this.#worker(name);
        return this.deployed(name).bindings.filter(({ type }) => type === 'secret_text').map(({ name: secret, type }) => ({ name: secret, type }));
      case 'GET workers scripts settings':
        this.#worker(name);
        return { bindings: this.deployed(name).bindings };
      case 'PATCH workers scripts script-settings':
        Object.assign(this.#worker(name), { tags: json().tags ?? [] });
        return {};
      case 'GET workers scripts subdomain':
        return this.#worker(name).subdomain;
      case 'POST workers scripts subdomain': {
        const { enabled, previews_enabled } = json();
        return (this.#worker(name).subdomain = { enabled, previews_enabled: previews_enabled ?? enabled });
      }
      case 'POST workers scripts versions':
        this.#worker(name);
        return this.#shown(this.#addVersion(name, await formOf(request, body), query));
      case 'GET workers scripts versions': {
        const { versions } = this.#worker(name);
        if (id === undefined) return { items: versions.map((version) => this.#shown(version)) };
        return this.#shown(versions.find((version) => version.id === id));
      }
      case 'GET workers scripts deployments':
        return { deployments: this.#worker(name).deployments };
      case 'POST workers scripts deployments':
        return this.#deploy(name, json().versions);
      default:
        this.unknown.push(`${request.method} ${request.url}`);
        throw new Rejected(404, 7000, `the simulated platform does not support ${what}`);
    }
  }

  #bucket(name) {
    const bucket = this.buckets.get(name);
    if (bucket === undefined) throw new Rejected(404, NO_BUCKET, 'The specified bucket does not exist.');
    return bucket;
  }

  #worker(name) {
    const worker = this.workers.get(name);
    if (worker === undefined) throw new Rejected(404, NO_WORKER, 'This Worker does not exist on your account.');
    return worker;
  }

  /** The old upload, which creates a worker and the tables of its classes. */
  #upload(name, form, query) {
    const isNew = !this.workers.has(name);
    const fresh = { tag: randomUUID(), tags: [], classes: [], versions: [], deployments: [], subdomain: { enabled: false, previews_enabled: false } };
    const worker = this.workers.get(name) ?? fresh;
    const { new_tag: tag, steps = [] } = form.metadata.migrations ?? {};
    const made = steps.flatMap((step) => step.new_sqlite_classes ?? []);
    this.workers.set(name, { ...worker, classes: [...worker.classes, ...made], migrationTag: tag ?? worker.migrationTag });
    try {
      const version = this.#addVersion(name, form, query);
      this.#deploy(name, [{ version_id: version.id, percentage: 100 }]);
      return { id: name, etag: version.id, deployment_id: version.id.replaceAll('-', ''), startup_time_ms: 1 };
    } catch (error) {
      if (isNew) this.workers.delete(name);
      throw error;
    }
  }

  /** Adds a version with its bindings. */
  #addVersion(name, { metadata, modules }, query) {
    const worker = this.workers.get(name);
    const before = worker.deployments.length > 0 ? this.deployed(name).bindings : [];
    const bindings = metadata.bindings.map((binding) => {
      if (binding.type === 'inherit') {
        const kept = before.find((one) => one.name === binding.name);
        if (kept === undefined && query.get('bindings_inherit') === 'strict') {
          throw new Rejected(400, NO_SECRET, `inherit binding '${binding.name}' is invalid`);
        }
        return kept;
      }
      if (binding.type === 'durable_object_namespace') this.#checkClass(name, binding);
      if (binding.type === 'r2_bucket') this.#bucket(binding.bucket_name);
      return binding;
    });
    const kept = before.filter(
      (one) => (metadata.keep_bindings ?? []).includes(one.type) && !bindings.some((binding) => binding.name === one.name),
    );
    const { main_module: main, compatibility_date: date, compatibility_flags: flags } = metadata;
    const version = { id: randomUUID(), number: worker.versions.length + 1, main, date, flags, modules, bindings: [...bindings, ...kept] };
    worker.versions.push(version);
    return version;
  }

  #checkClass(name, { class_name: wanted, script_name: script = name }) {
    const classes = this.workers.get(script)?.classes;
    if (classes?.includes(wanted)) return;
    const why = classes === undefined ? `Worker ${script} not found` : `class ${wanted} has no tables yet`;
    throw new Rejected(400, NO_CLASS, `Cannot create binding for class ${wanted}: ${why}.`);
  }

  #deploy(name, versions) {
    const worker = this.#worker(name);
    for (const { version_id: wanted } of versions) {
      if (!worker.versions.some(({ id }) => id === wanted)) throw new Rejected(404, NO_WORKER, 'This version does not exist.');
    }
    // Later than all previous deployments, even within the same moment.
    const created = new Date(Date.UTC(2026, 0, 1) + worker.deployments.length * 1_000).toISOString();
    worker.deployments.unshift({ id: randomUUID(), source: 'wrangler', strategy: 'percentage', author_email: '', created_on: created, versions });
    return worker.deployments[0];
  }

  #shown({ id, number, bindings }) {
    const resources = { bindings, script: { etag: id, handlers: ['fetch'], last_deployed_from: 'wrangler' }, script_runtime: {} };
    const metadata = { created_on: '2026-01-01T00:00:00Z', modified_on: '2026-01-01T00:00:00Z', source: 'wrangler', author_email: '', author_id: '' };
    return { id, number, metadata, annotations: {}, resources, startup_time_ms: 1 };
  }
}
