import { MB } from '@confetti/contracts'

const GB = 1_024 * MB

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** A number with separators, such as '1,234'. */
export const formatCount = (count: number): string => numbers.format(count)

/** A number of files, such as '1,234 files'. */
export const formatFiles = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'file' : 'files'}`

/** A size in megabytes or gigabytes, such as '5.6 GB'. */
export const formatSize = (bytes: number): string =>
  bytes >= GB ? `${numbers.format(bytes / GB)} GB` : `${numbers.format(Math.max(0.1, bytes / MB))} MB`
