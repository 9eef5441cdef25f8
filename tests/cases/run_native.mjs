// Replays the case files on the native host over HTTP. Usage: run_native.mjs [--build DIR] [--cases DIR]
// The last line of the output is: N passed, M failed.

import { casesOfBuild } from './build_folder.mjs';
import { startNativeHost } from './native_host.mjs';
import { replay } from './replay.mjs';

const paths = casesOfBuild();
const host = await startNativeHost(paths);
// HOST-1
const good = await replay(paths.transcript, host);
await host.end();
process.exitCode = good ? 0 : 1;
