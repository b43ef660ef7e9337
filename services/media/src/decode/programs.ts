import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Logger } from '@confetti/service-kit'

/** Which programs decoders may use. */
export interface Programs {
  heif: 'heif-convert' | 'libheif-js'
  video: boolean
  /** Limits the memory and processor time of the others; comes with Linux. */
  prlimit: boolean
}

/** Looks once for the programs that decoding needs, and says in the log which are missing and what that means. */
export const findPrograms = async (
  { PATH, HEIF_DECODER }: { PATH: string; HEIF_DECODER: 'auto' | Programs['heif'] },
  logger: Logger,
): Promise<Programs> => {
  const has = async (program: string): Promise<boolean> => {
    const looks = PATH.split(delimiter).map((folder) => access(join(folder, program), constants.X_OK))
    return (await Promise.allSettled(looks)).some(({ status }) => status === 'fulfilled')
  }
  const [ffmpeg, ffprobe, heifConvert, prlimit] = await Promise.all(
    ['ffmpeg', 'ffprobe', 'heif-convert', 'prlimit'].map(has),
  )
  if (HEIF_DECODER === 'heif-convert' && !heifConvert) throw new Error('heif-convert is not on the PATH')

  const found = heifConvert ? 'heif-convert' : 'libheif-js'
  const heif = HEIF_DECODER === 'auto' ? found : HEIF_DECODER
  const video = Boolean(ffmpeg && ffprobe)
  logger.info({ heif, video, prlimit }, 'decoders')
  if (!video) logger.error('ffmpeg or ffprobe is not on the PATH: videos wait until a worker has them')
  if (!prlimit) logger.warn('prlimit is not on the PATH: ffmpeg and heif-convert run without a memory limit')
  return { heif, video, prlimit: Boolean(prlimit) }
}
