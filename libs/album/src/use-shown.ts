import { useState } from 'react'
import type { Upload } from '@confetti/contracts'
import { newerThan } from './upload-order.ts'

/** While one reads further down, what is new waits at the top, so that nothing moves away under the finger. */
export const useShown = (uploads: readonly Upload[], away: boolean) => {
  const [top, setTop] = useState<Upload>()
  if (!away && top !== uploads[0]) setTop(uploads[0])
  const waiting = away && top ? newerThan(top, uploads) : 0
  return { shown: waiting > 0 ? uploads.slice(waiting) : uploads, waiting }
}
