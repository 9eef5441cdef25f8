// Both workers on one address for a local workerd, with the admin interface under /admin.

import type { Env } from './bindings';
import { targetOf } from './http';
import { isolateOf } from './isolate';

export { AccountObject, DirectoryObject } from './worker';

export default {
  fetch(request, env, ctx) {
    const { api, admin } = isolateOf(env);
    return targetOf(request).startsWith('/admin/') ? admin.fetch(request, env, ctx) : api.fetch(request, env, ctx);
  },
} satisfies ExportedHandler<Env>;
