// Processes of this machine.

import { readdirSync, readFileSync } from 'node:fs';

/** Returns the state and the parent of a process; nothing if it has ended. */
function stateOf(pid) {
  try {
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return state === 'Z' ? {} : { state, parent: Number(parent) };
  } catch {
    return {};
  }
}

export const isRunning = (pid) => stateOf(pid).state !== undefined;

/** Returns the ids of the processes that a process has started and that still run. */
export function childrenOf(pid) {
  return readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).map(Number).filter((child) => stateOf(child).parent === pid);
}
