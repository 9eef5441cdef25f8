// Waits for what comes by itself.

const STEP_MS = 50;

/** Until `holds` gives true, asked again and again. Throws where it does not come about. */
export async function eventually(holds, { withinMs = 30_000 } = {}) {
  const until = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`it did not come about in ${withinMs / 1000} seconds`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
