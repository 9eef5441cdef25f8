// Runs named tests in order and then checks the logs of the workerd processes. Prints `N passed, M failed` and sets the exit
// status.

/** `log` is the log of all workerd processes that the tests start (worker_log.mjs). */
export async function runTests(tests, dispose, log) {
  let failed = 0;
  const run = async (name, test) => {
    try {
      await test();
    } catch (error) {
      ++failed;
      console.error(`FAILED  ${name}: ${error.stack}`);
    }
  };
  try {
    for (const [name, test] of Object.entries(tests)) await run(name, test);
  } finally {
    await dispose();
  }
  await run("the workers' log has no platform warning and no uncaught error", () => log.assertClean());
  console.log(`${Object.keys(tests).length + 1 - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
