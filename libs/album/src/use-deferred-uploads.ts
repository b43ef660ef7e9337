import { useMemo, useState } from 'react'
import type { Upload } from '@confetti/contracts'
import { countNewer } from './upload-order.ts'

/**
 * Holds new uploads back while the page is scrolled down, so that the cards on the screen do not move.
 * Returns the uploads to show, the new ones that are deferred, and a function that shows these.
 */
export const useDeferredUploads = (uploads: readonly Upload[], isScrolledDown: boolean) => {
  const [firstShown, setFirstShown] = useState<Upload>()
  if (!isScrolledDown && firstShown !== uploads[0]) setFirstShown(uploads[0])
  const deferredCount = isScrolledDown && firstShown ? countNewer(firstShown, uploads) : 0
  const current = useMemo(
    () => (deferredCount > 0 ? uploads.slice(deferredCount) : uploads),
    [uploads, deferredCount],
  )
  const deferred = useMemo(() => uploads.slice(0, deferredCount), [uploads, deferredCount])
  return {
    current,
    deferred,
    showDeferred: (): void => setFirstShown(uploads[0]),
  }
}
