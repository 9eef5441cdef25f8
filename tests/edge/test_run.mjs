// Runs named tests in their order, each to its end. Prints `N passed, M failed`, and sets the exit status.

export async function runTests(tests, dispose) {
  let failed = 0;
  try {
    for (const [name, test] of Object.entries(tests)) {
      try {
        await test();
      } catch (fault) {
        ++failed;
        console.error(`FAILED  ${name}: ${fault.stack}`);
      }
    }
  } finally {
    await dispose();
  }
  console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
