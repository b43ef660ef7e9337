import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { Logger } from '@confetti/service-kit'
import { type DecodeJob, UnprocessableMediaError } from './decoder-protocol.ts'

// The longest output is a frame: the raw pixels of a preview.
const MAX_OUTPUT_BYTES = 16 * 1_048_576

// ffmpeg handles SIGXCPU and exits with this status. Other failures of a file have another one.
const FFMPEG_INTERRUPTED_STATUS = 255

export interface ProgramResult {
  ok: boolean
  stdout: Buffer
  stderr: string
}

/**
 * Runs a program on a file within the limits of the job. Rejects with `UnprocessableMediaError` if the program exceeds
 * its processor time, and with another error if it cannot be run or is killed from outside.
 */
export const runProgram = (
  name: string,
  args: readonly string[],
  { memoryBytes, cpuTimeLimitMs, programs, folder }: DecodeJob,
): Promise<ProgramResult> =>
  new Promise((resolve, reject) => {
    // SIGXCPU at the soft limit shows why the program ended; SIGKILL follows at the hard limit, a second later.
    const softLimitSeconds = Math.ceil(cpuTimeLimitMs / 1_000)
    const limits = [`--as=${memoryBytes}`, `--cpu=${softLimitSeconds}:${softLimitSeconds + 1}`]
    const [command, ...rest] = programs.hasPrlimit
      ? (['prlimit', ...limits, name, ...args] as const)
      : ([name, ...args] as const)
    execFile(
      command,
      rest,
      { cwd: folder, encoding: 'buffer', maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        const hasRun =
          !error || typeof error.code === 'number' || (error.signal && error.signal !== 'SIGKILL')
        const isOutOfTime =
          error?.signal === 'SIGXCPU' ||
          (programs.hasPrlimit && name === 'ffmpeg' && error?.code === FFMPEG_INTERRUPTED_STATUS)
        if (isOutOfTime) reject(new UnprocessableMediaError('The file takes too long to open.'))
        else if (hasRun) resolve({ ok: !error, stdout, stderr: stderr.toString() })
        else reject(new Error(`${name} did not finish: ${error.message}`))
      },
    )
  })

export type HeifDecoder = 'heif-convert' | 'libheif-js'

/** The programs that decoders can use. */
export interface Programs {
  /** Each decodes what the one before it refuses. */
  heifDecoders: readonly HeifDecoder[]
  /** Whether there are both ffmpeg and ffprobe. */
  hasFfmpeg: boolean
  /** Whether ffmpeg can encode what a rendition has. */
  canRender: boolean
  /** Whether ffmpeg can show high dynamic range on other screens. */
  canToneMap: boolean
  /** Whether there is prlimit, which limits the memory and processor time of the others. It is part of Linux. */
  hasPrlimit: boolean
}

/** Whether ffmpeg was built with these. One that cannot be run has none: photos are processed without it. */
const hasParts = async (path: string, kind: 'encoders' | 'filters', names: string[]): Promise<boolean> => {
  const args = ['-hide_banner', `-${kind}`]
  try {
    const { stdout } = await promisify(execFile)('ffmpeg', args, { env: { PATH: path }, timeout: 30_000 })
    return names.every((name) => stdout.includes(` ${name} `))
  } catch {
    return false
  }
}

/** The version of libheif that heif-convert has, as [1, 15]; undefined if it does not say. */
export const readLibheifVersion = async (path: string): Promise<[number, number] | undefined> => {
  const run = promisify(execFile)('heif-convert', ['--help'], { env: { PATH: path }, timeout: 30_000 })
  // Versions differ in their exit status.
  const { stderr, stdout } = await run.catch(
    (error: unknown) => error as Partial<Record<'stderr' | 'stdout', string>>,
  )
  const [, major, minor] = /libheif version: (\d+)\.(\d+)/.exec(`${stdout} ${stderr}`) ?? []
  return major && minor ? [Number(major), Number(minor)] : undefined
}

/** Whether a version of libheif refuses what phones have written since iOS 18. It also refuses bursts. */
export const isOldLibheif = ([major, minor]: readonly [number, number]): boolean => major === 1 && minor < 18

/** Searches the PATH for the programs that decoding needs, and logs which are missing and what that means. */
export const findPrograms = async (
  { PATH, HEIF_DECODER }: { PATH: string; HEIF_DECODER: 'auto' | HeifDecoder },
  logger: Logger,
): Promise<Programs> => {
  const isOnPath = async (program: string): Promise<boolean> => {
    const checks = PATH.split(delimiter).map((folder) => access(join(folder, program), constants.X_OK))
    return (await Promise.allSettled(checks)).some(({ status }) => status === 'fulfilled')
  }
  const [ffmpeg, ffprobe, heifConvert, hasPrlimit = false] = await Promise.all(
    ['ffmpeg', 'ffprobe', 'heif-convert', 'prlimit'].map(isOnPath),
  )
  if (HEIF_DECODER === 'heif-convert' && !heifConvert) throw new Error('heif-convert is not on the PATH')

  const available: HeifDecoder[] = heifConvert ? ['heif-convert', 'libheif-js'] : ['libheif-js']
  const heifDecoders = HEIF_DECODER === 'auto' ? available : [HEIF_DECODER]
  const hasFfmpeg = Boolean(ffmpeg && ffprobe)
  const canRender = hasFfmpeg && (await hasParts(PATH, 'encoders', ['libx264', 'aac']))
  const canToneMap = hasFfmpeg && (await hasParts(PATH, 'filters', ['zscale', 'tonemap']))
  logger.info({ heifDecoders, hasFfmpeg, canRender, canToneMap, hasPrlimit }, 'decoders found')
  const libheifVersion = heifConvert && HEIF_DECODER !== 'libheif-js' && (await readLibheifVersion(PATH))
  if (libheifVersion && isOldLibheif(libheifVersion))
    logger.warn(
      { libheif: libheifVersion.join('.') },
      heifDecoders.length > 1
        ? 'heif-convert has an old libheif, libheif-js decodes the photos of iOS 18 and the bursts that it refuses'
        : 'heif-convert has an old libheif, photos of iOS 18 and bursts fail',
    )
  if (!hasFfmpeg)
    logger.error('ffmpeg or ffprobe is not on the PATH, videos stay unprocessed until a worker has both')
  if (!hasPrlimit)
    logger.warn('prlimit is not on the PATH, ffmpeg and heif-convert run without a memory limit')
  if (hasFfmpeg && !canRender)
    logger.error('ffmpeg has no libx264 or no aac, videos get no renditions until a worker has both')
  if (hasFfmpeg && !canToneMap)
    logger.warn('ffmpeg has no zscale or no tonemap, videos with high dynamic range look pale')
  return { heifDecoders, hasFfmpeg, canRender, canToneMap, hasPrlimit }
}
