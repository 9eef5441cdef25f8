// Many accounts at once on a local workerd: each is admitted exactly as often as its plan says, and sees what is its own.
// Usage: accounts_test.mjs [--build DIR]. Ends with one line: N passed, M failed.
//   TONEARM_ACCOUNTS  how many; default 50

import assert from 'node:assert/strict';

import { casesOfBuild } from '../cases/build_folder.mjs';
import { Client, Operator } from './client.mjs';
import { ADMIN_TOKEN, devFolder, DevProcess } from './dev_process.mjs';
import { runTests } from './test_run.mjs';
import { eventually } from './waiting.mjs';

const ACCOUNTS = Number(process.env.TONEARM_ACCOUNTS ?? 50);
/** Of the plan `free` (catalog-api, Limits). */
const CALLS_OF_MINUTE = 20;
/** Of each account, all sent at once, half of them answered by its object and half by the worker. */
const BURST = 30;

assert.ok(ACCOUNTS >= 2, 'TONEARM_ACCOUNTS must be a number from 2');
const paths = casesOfBuild();
const files = devFolder(paths.snapshot);
const dev = await DevProcess.start(files);
const client = new Client(dev.base, { sockets: 400 });
const operator = new Operator(client, ADMIN_TOKEN);

let accounts = [];
const times = {};
async function timed(name, work) {
  const began = performance.now();
  await work();
  times[name] = `${((performance.now() - began) / 1000).toFixed(1)} s`;
}

/** A call whose answer is remembered with its account. */
async function call(one, method, path, body) {
  const answer = await client.ask(method, path, { bearer: one.key, body });
  one.statuses.push(answer.status);
  return answer;
}

const atOnce = (work) => Promise.all(accounts.map(work));
const countOf = (list, wanted) => list.filter((one) => one === wanted).length;

/** Records lie there once the worker has sent them. */
async function recordsOf({ account, statuses }) {
  let calls = [];
  await eventually(async () => {
    ({ calls } = await operator.ask('GET', `/accounts/${account}/calls?limit=1000`));
    return calls.length >= statuses.length;
  });
  return calls;
}

const tests = {
  'accounts are made': () =>
    timed('making', async () => {
      accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => operator.newAccount('free')));
      assert.equal(new Set(accounts.map(({ account }) => account)).size, ACCOUNTS);
      for (const one of accounts) one.statuses = [];
    }),
  'each makes a collection': () =>
    timed('collections', async () => {
      await atOnce(async (one) => {
        const { status, body } = await call(one, 'POST', '/v1/collections', { name: `Of ${one.account}` });
        assert.equal(status, 201);
        one.collection = body.id;
      });
      assert.equal(new Set(accounts.map(({ collection }) => collection)).size, ACCOUNTS);
    }),
  'none sees the collection of another': () =>
    atOnce(async (one, index) => {
      const { collection } = accounts[(index + 1) % ACCOUNTS];
      assert.equal((await call(one, 'GET', `/v1/collections/${collection}`)).status, 404);
    }),
  'all send more calls than are admitted, at once, and see their own alone': () =>
    timed('burst', () =>
      atOnce((one) =>
        Promise.all(
          Array.from({ length: BURST }, async (_, number) => {
            const { status, body } = await call(one, 'GET', number % 2 === 0 ? '/v1/collections' : '/v1/tracks/os-101');
            if (status === 429) {
              assert.equal(body.limit, 'minute');
            } else if (number % 2 === 0) {
              assert.deepEqual([status, body.total], [200, 1]);
              assert.deepEqual([body.collections[0].id, body.collections[0].name], [one.collection, `Of ${one.account}`]);
            } else {
              assert.deepEqual([status, body.id], [200, 'os-101']);
            }
          }),
        ),
      ),
    ),
  'in each minute exactly as many calls were admitted as the plan says, and each is recorded once': () =>
    timed('records', async () => {
      let refused = 0;
      await atOnce(async (one) => {
        const calls = await recordsOf(one);
        assert.deepEqual(calls.map(({ status }) => status).sort(), [...one.statuses].sort());
        const minutes = Map.groupBy(calls, ({ at }) => at.slice(0, 'yyyy-mm-ddThh:mm'.length));
        for (const [minute, those] of minutes) {
          const admitted = those.filter(({ status }) => status !== 429).length;
          assert.equal(admitted, Math.min(CALLS_OF_MINUTE, those.length), `${one.account} in ${minute}`);
        }
        refused += countOf(one.statuses, 429);
      });
      assert.ok(refused > 0, 'the limit was never reached');
    }),
};

await runTests(tests, async () => {
  client.close();
  console.log(`${ACCOUNTS} accounts, ${ACCOUNTS * (BURST + 2)} calls: ${JSON.stringify(times)}`);
  await dev.stop();
  files.remove();
});
