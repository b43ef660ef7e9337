import type { Programs } from './programs.ts'
import type { VideoInfo } from './video-info.ts'

// HLG, in which iPhones record, and PQ.
const highDynamicRanges = ['arib-std-b67', 'smpte2084']

/**
 * The filters of ffmpeg that bring high dynamic range to the range that every screen has; without them such a video is
 * pale. They cost the least after scaling.
 */
export const toneMapFilters = (
  { colorTransfer = '' }: Pick<VideoInfo, 'colorTransfer'>,
  { canToneMap }: Pick<Programs, 'canToneMap'>,
): string[] =>
  canToneMap && highDynamicRanges.includes(colorTransfer)
    ? [
        `zscale=tin=${colorTransfer}:pin=bt2020:min=bt2020nc:t=linear:p=bt2020:m=gbr:npl=100`,
        'format=gbrpf32le',
        'zscale=p=bt709',
        // Keeps what is not bright as it is.
        'tonemap=mobius',
        'zscale=t=bt709:m=bt709:r=tv',
        'format=yuv420p',
      ]
    : []
