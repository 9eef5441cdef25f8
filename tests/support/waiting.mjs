// Waits for conditions without a timeout of its own: how long a condition takes depends on the machine and its load. The
// time limit of the part of ./test ends a wait that never succeeds, and the log says what it waited for.

const STEP_MS = 20;
const REMINDER_MS = 10_000;

/** Waits until `condition` returns true; calls it repeatedly. Throws whatever `condition` throws. */
export async function eventually(condition, what = String(condition)) {
  const reminder = setInterval(() => console.error(`still waiting: ${what}`), REMINDER_MS);
  try {
    while (!(await condition())) await new Promise((resolve) => { setTimeout(resolve, STEP_MS); });
  } finally {
    clearInterval(reminder);
  }
}
