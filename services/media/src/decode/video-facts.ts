import { z } from 'zod'
import type { Measures } from '../storage/job-model.ts'
import { takenAtFromTags } from './taken-at.ts'

const tags = z.record(z.string(), z.string()).default({})

/** What we read of ffprobe's answer. */
export const probeOutput = z.object({
  streams: z
    .array(
      z.object({
        index: z.int(),
        codec_type: z.string().optional(),
        width: z.int().optional(),
        height: z.int().optional(),
        sample_aspect_ratio: z.string().optional(),
        duration: z.string().optional(),
        disposition: z.object({ attached_pic: z.int().default(0) }).optional(),
        side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
        tags,
      }),
    )
    .default([]),
  format: z.object({ duration: z.string().optional(), tags }).optional(),
})
type Probe = z.infer<typeof probeOutput>
type Stream = Probe['streams'][number]

/** The pixels of anamorphic videos are not square: '4:3' means a third wider. */
const pixelShape = ({ sample_aspect_ratio: ratio }: Stream): number => {
  const [wide, high] = (ratio ?? '').split(':').map(Number)
  return wide && high && wide > 0 && high > 0 ? wide / high : 1
}

const isOnItsSide = ({ side_data_list, tags }: Stream): boolean => {
  const rotation =
    side_data_list.find((data) => data.rotation !== undefined)?.rotation ?? Number(tags.rotate ?? 0)
  return Math.abs(Math.round(rotation / 90)) % 2 === 1
}

const secondsOf = (text: string | undefined): number | undefined => {
  const seconds = Number(text)
  return text !== undefined && Number.isFinite(seconds) && seconds >= 0
    ? Math.round(seconds * 1_000) / 1_000
    : undefined
}

export interface VideoFacts {
  streamIndex: number
  codedPixels: number
  measures: Measures
}

/** The video's measures as displayed; undefined when there is no video in it, only sound or a cover picture. */
export const videoFacts = ({ streams, format }: Probe): VideoFacts | undefined => {
  const stream = streams.find(
    ({ codec_type, disposition }) => codec_type === 'video' && disposition?.attached_pic !== 1,
  )
  if (!stream?.width || !stream.height) return undefined
  const wide = Math.max(1, Math.round(stream.width * pixelShape(stream)))
  const [width, height] = isOnItsSide(stream) ? [stream.height, wide] : [wide, stream.height]
  const durationSeconds = secondsOf(format?.duration) ?? secondsOf(stream.duration)
  const takenAt = takenAtFromTags({ ...stream.tags, ...format?.tags })
  return {
    streamIndex: stream.index,
    codedPixels: stream.width * stream.height,
    measures: {
      width,
      height,
      ...(durationSeconds !== undefined && { durationSeconds }),
      ...(takenAt && { takenAt }),
    },
  }
}

/** The size of a picture in a square of `limit` pixels: whole, in its proportions, never enlarged. */
export const sizeInside = ({ width, height }: { width: number; height: number }, limit: number) => {
  const scale = Math.min(1, limit / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Where the poster is taken: the first pictures are often black or blurred. */
export const posterSecond = (durationSeconds = 0): number =>
  durationSeconds < 1 ? 0 : Math.min(1, durationSeconds / 10)
