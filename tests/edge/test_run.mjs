// Runs named tests in their order, each to its end, and last looks at what the workerds of the tests have logged. Prints
// `N passed, M failed`, and sets the exit status.

/** `log`: of all workerds that the tests start (worker_log.mjs). */
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
  await run("the workers' log holds no warning of the platform, and no error that was not caught", () => log.assertClean());
  console.log(`${Object.keys(tests).length + 1 - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
