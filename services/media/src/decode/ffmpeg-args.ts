import type { DecodeJob } from './decoder-protocol.ts'

/** Only the mov demuxer, which reads MP4 and QuickTime, may parse the file, and only local files may be opened. */
export const inputArgs = (file: string): string[] => [
  ...['-protocol_whitelist', 'file,pipe'],
  ...['-f', 'mov', '-i', file],
]

/** The first arguments of each call of ffmpeg: on one thread, with `inputOptions` for the original. */
export const ffmpegArgs = (
  { file, maxMegapixels }: Pick<DecodeJob, 'file' | 'maxMegapixels'>,
  inputOptions: readonly string[] = [],
): string[] => [
  ...['-nostdin', '-v', 'error', '-threads', '1', '-filter_threads', '1'],
  ...['-max_pixels', String(maxMegapixels * 1e6), ...inputOptions, ...inputArgs(file)],
]
