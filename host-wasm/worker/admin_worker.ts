// The worker of the admin interface. It uses the objects of the API's worker.

import type { Env } from './bindings';
import { isolateOf } from './isolate';

export default {
  fetch: (request, env, ctx) => isolateOf(env).admin.fetch(request, env, ctx),
} satisfies ExportedHandler<Env>;
