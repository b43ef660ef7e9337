import { useEffect, useRef, useState } from 'react'
import { fetchChunks, saveFile } from './fetch-chunks.ts'

/** A file that a link leads to. */
export interface SharedFile {
  url: string
  name: string
  type: string
}

/** More are in memory at once than a phone's browser survives. */
export const MAX_SHARED_FILES = 20
export const MAX_SHARED_BYTES = 200 * 1_048_576

/** Whether files go to a share sheet: on phones and tablets whose browser has one. Elsewhere a download is expected. */
export const canShareFiles = (): boolean =>
  matchMedia('(pointer: coarse)').matches &&
  (navigator as Partial<Navigator>).canShare?.({
    files: [new File([''], 'photo.jpg', { type: 'image/jpeg' })],
  }) === true

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name

/**
 * Shares files by the share sheet of a phone, and saves them where there is none. They are downloaded first. Browsers open
 * the sheet only some seconds after a tap: after a long download `isReady` says that another tap is needed, which calls `start`
 * again.
 */
export const useSharing = (onFailed: (error: unknown) => void) => {
  const [isBusy, setIsBusy] = useState(false)
  const [ready, setReady] = useState<File[]>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const share = async (files: File[]): Promise<void> => {
    // A sheet may refuse some types, such as HEIC.
    if (!canShareFiles() || !navigator.canShare({ files })) {
      for (const file of files) saveFile(file, file.name)
      return
    }
    try {
      await navigator.share({ files })
    } catch (error) {
      if (isNamed(error, 'NotAllowedError')) {
        setReady(files)
        return
      }
      // The sheet was closed.
      if (!isNamed(error, 'AbortError')) throw error
    }
    setReady(undefined)
  }

  const fetchAll = async (files: readonly SharedFile[], signal: AbortSignal): Promise<File[]> => {
    const fetched: File[] = []
    for (const { url, name, type } of files)
      fetched.push(new File([...(await fetchChunks(url, { signal }))], name, { type }))
    return fetched
  }

  const start = async (files: readonly SharedFile[]): Promise<void> => {
    if (running.current) return
    const controller = new AbortController()
    running.current = controller
    setIsBusy(true)
    try {
      // With no `await` before the sheet where the files are there: the tap must not be over.
      await (ready ? share(ready) : share(await fetchAll(files, controller.signal)))
    } catch (error) {
      setReady(undefined)
      if (!controller.signal.aborted) onFailed(error)
    } finally {
      running.current = undefined
      setIsBusy(false)
    }
  }

  return {
    isBusy,
    isReady: ready !== undefined,
    start: (files: readonly SharedFile[]): void => void start(files),
  }
}
