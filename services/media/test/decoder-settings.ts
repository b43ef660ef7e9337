import type { makeDecode } from '../src/decode/decode.ts'
import { createWarmDecoders } from '../src/decode/decoder-processes.ts'

export const settings: Parameters<typeof makeDecode>[0] = {
  maxMegapixels: 220,
  maxRenditionSeconds: 600,
  memoryBytes: 1_073_741_824,
  largeMemoryBytes: 2_684_354_560,
  cpuTimeLimitMs: 60_000,
  wallClockLimitMs: 300_000,
  // Beside other work, a decoder of low priority takes many times as long.
  priority: 'normal',
  path: process.env.PATH ?? '',
  warmDecoders: createWarmDecoders(2),
  programs: {
    heifDecoders: ['libheif-js'],
    hasFfmpeg: true,
    canRender: true,
    canToneMap: true,
    hasPrlimit: true,
  },
  onHeifFallback: (): void => undefined,
}
