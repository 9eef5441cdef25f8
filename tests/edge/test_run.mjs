// Runs named tests in order and then checks the logs of the workerd processes. Prints `N passed, M failed` and sets the exit
// status.

/** `log` is the log of all workerd processes that the tests start (worker_log.mjs). */
export async function runTests(tests, dispose, log) {
  let failed = 0;
  let running = '';
  // The time limit of the part of ./test has ended. The log then names the test that has not.
  process.once('SIGTERM', () => {
    console.error(`FAILED  ${running}: it did not end`);
    process.exit(1);
  });
  const run = async (name, test) => {
    running = name;
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
