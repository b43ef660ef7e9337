import { useEffect, useMemo, useState } from 'react'
import { browserStorage } from '@confetti/api-client'
import { getFileKey } from '../file-key.ts'
import { loadSending } from '../load-sending.ts'
import type { SelectedFile } from '../selected-file.ts'
import { HAS_UNSENT_FILES_KEY } from './has-unsent-files.ts'
import type { UnsentFile } from './unsent-files.ts'

interface UnsentFilesState {
  /** The files of earlier visits that are not in the list of the page. */
  unsentFiles: readonly UnsentFile[]
  /** Takes over the files whose bytes the browser has. */
  claim: () => Promise<readonly File[]>
  discard: () => void
}

/** Loads the files of an event that an earlier visit of the page did not finish sending. */
export const useUnsentFiles = (eventId: string, files: readonly SelectedFile[]): UnsentFilesState => {
  const [stored, setStored] = useState<readonly UnsentFile[]>([])

  useEffect(() => {
    if (!browserStorage.get(HAS_UNSENT_FILES_KEY)) return
    let unmounted = false
    void loadSending()
      .then((sending) => sending?.getUnsentFiles(eventId).list())
      .then((listed = []) => {
        if (!unmounted) setStored(listed)
      })
    return () => {
      unmounted = true
    }
  }, [eventId])

  const unsentFiles = useMemo(() => {
    const selectedKeys = new Set(stored.length > 0 ? files.map(({ file }) => getFileKey(eventId, file)) : [])
    return stored.filter(({ key }) => !selectedKeys.has(key))
  }, [eventId, stored, files])

  return {
    unsentFiles,
    claim: async () => {
      const claimed = (await (await loadSending())?.getUnsentFiles(eventId).claim()) ?? []
      // What could not be claimed is gone, or another tab is sending it.
      setStored((previous) => previous.filter(({ hasBytes }) => !hasBytes))
      return claimed
    },
    discard: () => {
      setStored([])
      const keys = unsentFiles.map(({ key }) => key)
      void loadSending().then((sending) => sending?.getUnsentFiles(eventId).remove(keys))
    },
  }
}
