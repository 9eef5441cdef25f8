// The worker of the API, with the classes of its Durable Objects.

import { AccountHome } from './account_home';
import { DirectoryHome } from './directory_home';
import type { Env } from './edge';
import { isolateOf } from './isolate';

export class AccountObject extends AccountHome {
  protected get edge() {
    return isolateOf(this.env).edge;
  }
}

export class DirectoryObject extends DirectoryHome {
  protected get edge() {
    return isolateOf(this.env).edge;
  }
}

export default {
  fetch: (request, env, ctx) => isolateOf(env).api.fetch(request, env, ctx),
} satisfies ExportedHandler<Env>;
