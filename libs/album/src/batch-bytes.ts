import { MB } from '@confetti/contracts'

const PHONE_BATCH_BYTES = 500 * MB
const DESKTOP_BATCH_BYTES = 2_000 * MB

/**
 * The most bytes of files in one batch, which is in memory whole. Phones and tablets close a page that uses more. On
 * desktops two gigabytes fit into a browser's process, and stay below the 4 GB of a zip without ZIP64, which JSZip does
 * not write.
 */
export const maxBatchBytes = (): number =>
  matchMedia('(pointer: coarse)').matches ? PHONE_BATCH_BYTES : DESKTOP_BATCH_BYTES
