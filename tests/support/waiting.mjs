// Waits for what comes by itself, for as long as it takes: how long that is depends on the machine and its load, so no
// wait has an end of its own. What never comes is ended by the limit of the part of ./test, and the log says what it was.

const STEP_MS = 20;
const TOLD_EVERY_MS = 10_000;

/** Until `holds` gives true, asked again and again. Throws what `holds` throws. */
export async function eventually(holds, what = String(holds)) {
  const told = setInterval(() => console.error(`still waiting: ${what}`), TOLD_EVERY_MS);
  try {
    while (!(await holds())) await new Promise((resolve) => { setTimeout(resolve, STEP_MS); });
  } finally {
    clearInterval(told);
  }
}
