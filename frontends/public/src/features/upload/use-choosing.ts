import { useCallback, useEffect, useState } from 'react'

/** How long files may take after the chooser has closed: an iPhone downloads photos from iCloud then, minutes for 50. */
const MAX_PREPARING_MS = 300_000

/**
 * Whether the guest is choosing files: from the moment that the chooser opens until its files arrive, or it is cancelled.
 * A browser without the event `cancel` only gives the focus back, at the same moment whether photos are being prepared or
 * not, so it ends some time after that.
 */
export const useChoosing = (): [isChoosing: boolean, setIsChoosing: (isChoosing: boolean) => void] => {
  // How often the chooser has been opened; 0 while the guest is not choosing.
  const [openings, setOpenings] = useState(0)
  const isChoosing = openings > 0
  const setIsChoosing = useCallback(
    (isOpening: boolean) => setOpenings((before) => (isOpening ? before + 1 : 0)),
    [],
  )

  // Each opening begins anew: the time of an earlier one must not end it.
  useEffect(() => {
    if (openings === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const handleReturn = (): void => {
      if (document.visibilityState === 'visible') timer ??= setTimeout(() => setOpenings(0), MAX_PREPARING_MS)
    }
    window.addEventListener('focus', handleReturn)
    // The chooser of a phone may leave the focus in the page, but lets no touch through.
    window.addEventListener('pointerdown', handleReturn)
    document.addEventListener('visibilitychange', handleReturn)
    return () => {
      window.removeEventListener('focus', handleReturn)
      window.removeEventListener('pointerdown', handleReturn)
      document.removeEventListener('visibilitychange', handleReturn)
      clearTimeout(timer)
    }
  }, [openings])

  return [isChoosing, setIsChoosing]
}
