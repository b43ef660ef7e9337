import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { root } from './run-tool.ts'

// Runs the steps of the action against a git repository on disk. Programs that need a registry only record their call.

interface Step {
  id?: string
  if?: string
  uses?: string
  with?: Record<string, string>
  run?: string
  env?: Record<string, string>
}

let folder = ''
const exec = promisify(execFile)
const git = async (...args: string[]): Promise<string> =>
  (await exec('git', args, { cwd: join(folder, 'checkout') })).stdout.trim()

/** A program that records its call, and then runs `script`. */
const writeProgram = async (name: string, script: string): Promise<void> => {
  const file = join(folder, 'bin', name)
  await writeFile(file, `#!/usr/bin/env bash\necho "${name} $*" >> "${folder}/calls"\n${script}\n`)
  await chmod(file, 0o755)
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-publish-'))
  await mkdir(join(folder, 'bin'))
  await mkdir(join(folder, 'checkout/services/uploads'), { recursive: true })
  await writeFile(join(folder, 'checkout/services/uploads/package.json'), '{"version": "0.2.0"}')
  await exec('git', ['init', '--quiet', '--bare', join(folder, 'origin')])
  await git('init', '--quiet')
  await git('remote', 'add', 'origin', join(folder, 'origin'))
  await git('add', '.')
  await git('-c', 'user.name=ci', '-c', 'user.email=ci@example.org', 'commit', '--quiet', '-m', 'uploads')
  // The image does not exist yet, and a build gets this digest.
  await writeProgram(
    'docker',
    `case "$*" in
      manifest*) echo 'manifest unknown' >&2; exit 1 ;;
      buildx\\ build*) echo '{"containerimage.digest": "sha256:abc"}' > "$RUNNER_TEMP/image.json" ;;
    esac`,
  )
  await writeProgram('cosign', '')
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the action. Returns the calls of the programs and actions that it used, and whether it succeeded. */
const publish = async (): Promise<{ calls: string[]; succeeded: boolean }> => {
  const { runs } = parse(await readFile(join(root, '.github/actions/publish-image/action.yml'), 'utf8')) as {
    runs: { steps: Step[] }
  }
  await writeFile(join(folder, 'calls'), '')
  const values: Record<string, string> = {
    'inputs.image': 'uploads',
    'inputs.folder': 'services/uploads',
    'inputs.dockerfile': 'images/service.Dockerfile',
    'inputs.arguments': 'FOLDER=services/uploads\nTOOLS=no-tools',
    'inputs.token': 'token',
  }
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) => values[name] ?? '')
  let succeeded = true
  for (const { id, if: condition = 'true', uses, with: inputs = {}, run, env = {} } of runs.steps) {
    const isWanted = condition === 'always()' || (succeeded && (condition === 'true' || values[condition]))
    if (!isWanted) continue
    if (uses) {
      const line = [
        uses.replace(/@.*/, ''),
        ...[...Object.values(env), ...Object.values(inputs)].map(fill),
      ].join(' ')
      await writeFile(join(folder, 'calls'), `${line}\n`, { flag: 'a' })
    }
    if (!run) continue
    const output = join(folder, 'output')
    await writeFile(output, '')
    const environment = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      GITHUB_REPOSITORY: 'Owner/Confetti',
      GITHUB_ACTOR: 'ci',
      GITHUB_SHA: 'commit',
      GITHUB_OUTPUT: output,
      RUNNER_TEMP: folder,
      ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
    }
    const options = { cwd: join(folder, 'checkout'), env: environment }
    const hasPassed = await exec('bash', ['-eo', 'pipefail', '-c', run], options).then(
      () => true,
      () => false,
    )
    succeeded &&= hasPassed
    for (const [, name, value = ''] of (await readFile(output, 'utf8')).matchAll(/^(\w+)=(.*)$/gm))
      values[`steps.${id}.outputs.${name}`] = value
  }
  const calls = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')
  return { calls, succeeded }
}

const publishedTags = async (): Promise<string> => git('ls-remote', '--tags', 'origin')
const IMAGE = 'ghcr.io/owner/confetti/uploads'

test('When a version is new, then it is built, scanned and signed before anything has its tag', async () => {
  const { calls, succeeded } = await publish()
  expect(succeeded).toBe(true)
  const steps = [
    'docker buildx build',
    `anchore/scan-action linux/amd64 registry:${IMAGE}@sha256:abc`,
    `anchore/scan-action linux/arm64 registry:${IMAGE}@sha256:abc`,
    `cosign sign --yes --recursive ${IMAGE}@sha256:abc`,
    `docker buildx imagetools create --tag ${IMAGE}:0.2.0 ${IMAGE}@sha256:abc`,
    'docker logout',
  ]
  const positions = steps.map((step) => calls.findIndex((call) => call.startsWith(step)))
  expect(positions).not.toContain(-1)
  expect(positions).toEqual(positions.toSorted((one, other) => one - other))
  const build = calls.find((call) => call.startsWith(steps[0] ?? ''))
  for (const option of ['linux/amd64,linux/arm64', '--sbom=true', '--provenance=mode=max', '--cache-from'])
    expect(build).toContain(option)
  expect(build).toContain('--build-arg=FOLDER=services/uploads --build-arg=TOOLS=no-tools')
  expect(build).not.toContain(`${IMAGE}:0.2.0`)
  expect(await publishedTags()).toMatch(/refs\/tags\/uploads-0\.2\.0$/)
})

test.each(['cosign', 'docker'])('When %s fails, then no version is published', async (program) => {
  const failure =
    program === 'docker' ? `case "$*" in manifest*) echo denied; exit 1 ;; buildx*) exit 1 ;; esac` : 'exit 1'
  await writeProgram(program, failure)
  const { calls, succeeded } = await publish()
  expect(succeeded).toBe(false)
  expect(calls.filter((call) => call.includes('imagetools'))).toEqual([])
  expect(await publishedTags()).toBe('')
})

test('When a version is published already, or its image has a tag, then it is not replaced', async () => {
  await writeProgram('docker', 'exit 0')
  const withImage = await publish()
  expect(withImage.succeeded).toBe(false)
  expect(withImage.calls.filter((call) => call.includes('buildx'))).toEqual([])
  await git('tag', 'uploads-0.2.0')
  await git('push', '--quiet', 'origin', 'uploads-0.2.0')
  expect(await publish()).toEqual({ calls: ['docker logout ghcr.io'], succeeded: true })
})
