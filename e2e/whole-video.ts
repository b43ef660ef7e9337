import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Makes an MP4 of one picture: a longer one would keep the renditions of other tests waiting. */
export const createVideo = async (size: string): Promise<Buffer<ArrayBuffer>> => {
  const folder = await mkdtemp(join(tmpdir(), 'confetti-video-'))
  const file = join(folder, 'video.mp4')
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=1:duration=1`]
  try {
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...source, '-pix_fmt', 'yuv420p', file])
    return Buffer.from(await readFile(file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Whether the whole of a video is in the window and nothing covers it or its controls. Runs in the page. A browser that
 * cannot play the video shows its poster, which has the same size.
 */
export const isWholeVideoSeen = (video: Element): boolean => {
  const player = video as HTMLVideoElement
  if (player.readyState === 0 && !player.error) return false
  const { left, top, right, bottom } = player.getBoundingClientRect()
  const isInWindow = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
  // Inside of the corners, which are rounded.
  const points = [
    [left + 6, top + 6],
    [right - 6, bottom - 6],
    [(left + right) / 2, bottom - 20],
  ] as const
  return player.controls && isInWindow && points.every(([x, y]) => document.elementFromPoint(x, y) === player)
}
