// Processes of this machine.

import { readdirSync, readFileSync } from 'node:fs';

/** Returns the ids of the processes that a process has started and that still run. */
export function childrenOf(pid) {
  return readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).map(Number).filter((child) => {
    try {
      const [state, parent] = readFileSync(`/proc/${child}/stat`, 'utf8').split(') ').at(-1).split(' ');
      return Number(parent) === pid && state !== 'Z';
    } catch {
      return false; // it has just ended
    }
  });
}
