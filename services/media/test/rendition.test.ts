import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, readSample } from '@confetti/test-kit'
import { makeRender } from '../src/decode/decode.ts'
import { UnprocessableMediaError } from '../src/decode/decoder-protocol.ts'
import { settings } from './decoder-settings.ts'
import {
  highDynamicRangeVideo,
  phoneVideo,
  portraitVideo,
  spatialAudioVideo,
  truncatedVideo,
} from './files.ts'
import { processesWith } from './processes.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'confetti-rendition-'))
})
afterAll(() => rm(folder, { recursive: true }))

interface Stream {
  codec_type: string
  codec_name: string
  pix_fmt?: string
  width?: number
  height?: number
  avg_frame_rate: string
  color_primaries?: string
  color_transfer?: string
  color_space?: string
}
interface Probe {
  streams: Stream[]
  format: { duration: string }
}

const render = async (bytes: Uint8Array, changes: Partial<typeof settings> = {}): Promise<string> => {
  const jobFolder = await mkdtemp(join(folder, 'job-'))
  const file = join(jobFolder, 'original')
  await writeFile(file, bytes)
  return makeRender({ ...settings, ...changes })({ file, folder: jobFolder })
}
const probe = async (file: string): Promise<Probe> => {
  const args = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', file]
  return JSON.parse((await promisify(execFile)('ffprobe', args)).stdout) as Probe
}
const pictureOf = ({ streams }: Probe) => streams.find(({ codec_type }) => codec_type === 'video')

test.each([
  ['video.mov', await readSample('video.mov'), { width: 320, height: 240 }],
  ['a video in portrait orientation', await portraitVideo(), { width: 240, height: 320 }],
])('When a rendition is made of %s, then it is an upright MP4 with H.264 and AAC', async (_, bytes, size) => {
  const rendition = await probe(await render(bytes))
  expect(pictureOf(rendition)).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', ...size })
  expect(rendition.streams.map(({ codec_name }) => codec_name)).toEqual(['h264', 'aac'])
  expect(Number(rendition.format.duration)).toBeCloseTo(7.8, 0)
})

test('When a phone recorded HEVC in 4K with its place, then browsers can play it and the place is not in it', async () => {
  const original = await phoneVideo()
  expect(original.includes('+48.1372+011.5756')).toBe(true)
  const file = await render(original)
  const rendition = await probe(file)
  expect(pictureOf(rendition)).toMatchObject({
    codec_name: 'h264',
    pix_fmt: 'yuv420p',
    width: 1_280,
    height: 720,
    avg_frame_rate: '30/1',
  })
  const bytes = await readFile(file)
  for (const trace of ['+48.1372', 'Apple', 'iPhone', 'Our secret title', '2026', 'Lavf'])
    expect([trace, bytes.includes(trace)]).toEqual([trace, false])
  // The index is before the media, so that it plays while it loads.
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
})

/** The colour of a frame in the middle, as red, green and blue from 0 to 255. */
const colourOf = async (file: string): Promise<number[]> => {
  const args = ['-v', 'error', '-i', file, '-frames:v', '1', '-vf', 'scale=1:1', '-pix_fmt', 'rgb24']
  const { stdout } = await promisify(execFile)('ffmpeg', [...args, '-f', 'rawvideo', 'pipe:1'], {
    encoding: 'buffer',
  })
  return [...stdout]
}

test.each([
  ['arib-std-b67', 'gray'],
  ['arib-std-b67', 'indianred'],
  ['smpte2084', 'gray'],
] as const)(
  'When a video has the high dynamic range %s, then %s looks as it should',
  async (transfer, colour) => {
    const args = ['-v', 'error', '-f', 'lavfi', '-i', `color=c=${colour}:size=16x16`, '-frames:v', '1']
    const reference = join(folder, `${colour}.png`)
    await promisify(execFile)('ffmpeg', ['-y', ...args, reference])
    const expected = await colourOf(reference)
    const rendition = await render(await highDynamicRangeVideo(colour, transfer))
    expect(pictureOf(await probe(rendition))).toMatchObject({
      color_primaries: 'bt709',
      color_transfer: 'bt709',
      color_space: 'bt709',
    })
    const shown = await colourOf(rendition)
    for (const [index, value] of expected.entries())
      expect(Math.abs(value - (shown[index] ?? 0))).toBeLessThan(20)
  },
)

test.each([
  [0, []],
  [1, ['aac']],
] as const)(
  'When the first audio stream cannot be decoded, and %d others can, then the rendition has the audio %j',
  async (others, audio) => {
    const { streams } = await probe(await render(await spatialAudioVideo(others)))
    expect(streams.map(({ codec_name }) => codec_name)).toEqual(['h264', ...audio])
  },
)

test('When a video is longer than allowed, or damaged, then it gets no rendition', async () => {
  await expect(render(await readSample('video.mp4'), { maxRenditionSeconds: 5 })).rejects.toEqual(
    new UnprocessableMediaError('The video is longer than 5 s.'),
  )
  await expect(render(await truncatedVideo())).rejects.toEqual(
    new UnprocessableMediaError('The video is incomplete.'),
  )
})

test('When ffmpeg has no encoder, then the video is not taken for a damaged one', async () => {
  const rendering = render(await readSample('video.mp4'), {
    programs: { ...settings.programs, canRender: false },
  })
  await expect(rendering).rejects.toThrow('ffmpeg cannot encode H.264 or AAC')
  await expect(rendering).rejects.not.toBeInstanceOf(UnprocessableMediaError)
})

test('When a rendition takes too long, then it is given up and no process is left', async () => {
  await expect(render(await phoneVideo(), { cpuTimeLimitMs: 500 })).rejects.toEqual(
    new UnprocessableMediaError('The file takes too long to open.'),
  )
  // The system removes a killed process a moment later.
  await eventually(async () => (await processesWith(folder)).length === 0, 'no process')
})
