// Checks the subjects of the commits that a base branch lacks (CONTRIBUTING.md, "Commits").

import { spawnSync } from 'node:child_process';

const LENGTH_MAX = 72;

/** The verbs that a subject may begin with. Add the one you need, if it is an imperative and says what the commit does. */
const VERBS = new Set(
  `Accept Add Align Allow Answer Append Apply Ask Assert Avoid Begin Bind Bound Build Bump Bundle Cache Call Cap Capture Check Choose Cite Clarify Clean Close Collect Compare
   Compile Complete Compress Compute Condense Configure Continue Convert Copy Correct Count Cover Create Cut Declare Decode Decouple Define Delete Derive
   Describe Detect Disable Divide Document Download Draft Drain Draw Drop Embed Enable Encode Enforce Enqueue Evict Expand Explain Export Expose Extend Extract
   Fetch Fill Find Finish Fix Flush Fold Forget Format Forward Free Gate Generate Group Guard Handle Harden Hide Hold Ignore Implement Import
   Improve Include Increase Index Inline Install Introduce Invalidate Isolate Join Judge Keep Let Limit Link List Load Lock Log Look Lower Make
   Map Mark Match Measure Merge Migrate Mount Move Name Narrow Normalize Note Number Offer Open Optimize Order Overlap Package Parse Pass Pin Place Plan
   Point Poll Prefer Prepare Preserve Prevent Print Propagate Protect Prove Publish Put Raise Rank Rate Read Rebuild Record Redesign Reduce Refactor Refer Refresh
   Refuse Regenerate Reject Release Relax Remove Rename Repeat Render Reorder Repair Replace Replay Report Require Reset Resolve Restore Restrict
   Resume Retire Retry Return Reuse Revert Review Revise Revoke Rewrite Rotate Round Route Run Sanitize Save Score Search Select Send
   Separate Serve Set Share Shorten Show Shrink Sign Silence Simplify Simulate Skip Sort Specify Speed Split Spread Start State Stop Store Stream Strip
   Support Swap Switch Sync Tell Test Throttle Tighten Track Trim Tune Turn Type Unify Update Upgrade Use Validate Verify Wait Warn Widen
   Wire Wrap Write`.split(/\s+/),
);

/** Null if a subject is fine, else what is wrong with it. */
export function problemOf(subject) {
  if (subject.length > LENGTH_MAX) return `${subject.length} characters, at most ${LENGTH_MAX}`;
  if (!VERBS.has(subject.split(' ', 1)[0])) return 'does not begin with an imperative verb';
  if (subject.endsWith('.')) return 'ends with a period';
  return null;
}

/** The rules about commits; none without a base branch. */
export function commitRules(base) {
  if (!base) return [];
  return [
    {
      name: `The subjects of the commits since ${base} begin with an imperative verb and have at most ${LENGTH_MAX} characters`,
      violations: () => {
        const log = spawnSync('git', ['log', '--format=%h %s', `${base}..HEAD`], { encoding: 'utf8' });
        if (log.status !== 0) return [`git does not know ${base}: ${log.stderr.trim()}`];
        return log.stdout
          .split('\n')
          .filter(Boolean)
          .flatMap((row) => {
            const subject = row.slice(row.indexOf(' ') + 1);
            const problem = problemOf(subject);
            return problem ? [`${row}: ${problem}`] : [];
          });
      },
    },
  ];
}
