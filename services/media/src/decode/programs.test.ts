import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@confetti/service-kit'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { findPrograms } from './programs.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-programs-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** What is logged about libheif where heif-convert, which is the only program, says that it has `version`. */
const warningsOf = async (version: string, HEIF_DECODER: 'auto' | 'heif-convert' | 'libheif-js') => {
  const PATH = await mkdtemp(join(folder, 'path-'))
  const help = `#!/bin/sh\necho " heif-convert  libheif version: ${version}" >&2\nexit 1\n`
  await writeFile(join(PATH, 'heif-convert'), help, { mode: 0o755 })
  const lines: string[] = []
  const logger = createLogger('media', 'warn', { write: (line) => lines.push(line) })
  await findPrograms({ PATH, HEIF_DECODER }, logger)
  return lines
    .map((line) => JSON.parse(line) as { libheif?: string; msg: string })
    .flatMap(({ libheif, msg }) => (libheif === undefined ? [] : [[libheif, msg]]))
}

test.each([
  ['1.15.1', 'auto', '1.15', /libheif-js decodes the photos of iOS 18/],
  ['1.17.6', 'heif-convert', '1.17', /photos of iOS 18 and bursts fail/],
] as const)(
  'When heif-convert has libheif %s, with %s, then a warning names version and consequence',
  async (version, decoder, named, consequence) => {
    expect(await warningsOf(version, decoder)).toEqual([[named, expect.stringMatching(consequence)]])
  },
)

test.each([
  ['1.15.1', 'libheif-js'],
  ['1.18.0', 'auto'],
  ['1.23.0', 'heif-convert'],
  ['2.0.0', 'auto'],
] as const)(
  'When heif-convert has libheif %s, with %s, then there is no warning',
  async (version, decoder) => {
    expect(await warningsOf(version, decoder)).toEqual([])
  },
)
