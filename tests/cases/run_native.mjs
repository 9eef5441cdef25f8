// Replays the case files on the native host's HTTP loop. Usage: run_native.mjs [--build DIR] [--cases DIR]
// Ends with one line: N passed, M failed.

import { casesOfBuild } from './build_folder.mjs';
import { startNativeHost } from './native_host.mjs';
import { replay } from './replay.mjs';

const paths = casesOfBuild();
const host = await startNativeHost(paths);
// HOST-1
const good = await replay(paths.transcript, host);
await host.end();
process.exitCode = good ? 0 : 1;
