import type { Programs } from '../src/decode/programs.ts'

export const settings = {
  maxMegapixels: 120,
  maxRenditionSeconds: 600,
  memoryBytes: 1_073_741_824,
  cpuTimeLimitMs: 60_000,
  wallClockLimitMs: 300_000,
  path: process.env.PATH ?? '',
  programs: {
    heifDecoders: ['libheif-js'],
    hasFfmpeg: true,
    canRender: true,
    canToneMap: true,
    hasPrlimit: true,
  } satisfies Programs as Programs,
  onHeifFallback: (): void => undefined,
}
