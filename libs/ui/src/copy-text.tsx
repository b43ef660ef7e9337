import { notify } from './notify.tsx'

/** Copies a text, and says `copied`. Calls `onFailed` if the browser does not allow it: pages without TLS have no clipboard. */
export const copyText = async (text: string, copied: string, onFailed: () => void): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    notify({ message: copied })
  } catch {
    onFailed()
  }
}
