// The worker of the API, with the classes of its Durable Objects.

import { AccountShard } from './account_shard';
import type { Env } from './bindings';
import { DirectoryShard } from './directory_shard';
import { isolateOf } from './isolate';

export class AccountObject extends AccountShard {
  protected get edge() {
    return isolateOf(this.env).edge;
  }
}

export class DirectoryObject extends DirectoryShard {
  protected get edge() {
    return isolateOf(this.env).edge;
  }
}

export default {
  fetch: (request, env, ctx) => isolateOf(env).api.fetch(request, env, ctx),
} satisfies ExportedHandler<Env>;
