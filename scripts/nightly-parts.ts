/** A script of this folder with its arguments. It takes less than 45 minutes on two cores. */
interface Part {
  script: string
  args: readonly string[]
  environment?: NodeJS.ProcessEnv
}

/** The parts of the nightly layer, which the workflow `nightly.yml` runs. */
export const nightlyParts: Readonly<Record<string, Part>> = {
  // axe in four languages, at both widths and in both themes, other scripts, and a remote with older packages.
  matrix: {
    script: 'test.ts',
    args: ['--nightly', 'e2e/accessibility', 'e2e/languages', 'e2e/older-remote'],
  },
  browsers: { script: 'test.ts', args: ['--nightly', 'e2e/browsers'] },
  outages: { script: 'test.ts', args: ['--nightly', 'e2e/outages', 'e2e/bursts'] },
  // The largest photos and videos.
  media: { script: 'test.ts', args: ['--nightly', 'services/media'] },
  fuzzing: {
    script: 'test.ts',
    args: ['e2e/bundles', 'e2e/security/requests'],
    environment: { FUZZ_SECONDS: '600' },
  },
  'faults-1': { script: 'test-faults.ts', args: ['--shard=1/2'] },
  'faults-2': { script: 'test-faults.ts', args: ['--shard=2/2'] },
  'seeded-bugs-1': { script: 'test-faults.ts', args: ['--self-test', '--shard=1/4'] },
  'seeded-bugs-2': { script: 'test-faults.ts', args: ['--self-test', '--shard=2/4'] },
  'seeded-bugs-3': { script: 'test-faults.ts', args: ['--self-test', '--shard=3/4'] },
  'seeded-bugs-4': { script: 'test-faults.ts', args: ['--self-test', '--shard=4/4'] },
}
