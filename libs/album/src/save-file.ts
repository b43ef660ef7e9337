// Some browsers ask first, and read the file only when they are told to save it.
const KEPT_FOR_SAVING_MS = 40_000

/**
 * Hands a file to the browser, which puts it among the downloads. Its memory is given back after a while, or earlier
 * by the function that this returns.
 */
export const saveFile = (content: Blob, name: string): (() => void) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  const release = (): void => {
    clearTimeout(timer)
    URL.revokeObjectURL(link.href)
  }
  const timer = setTimeout(release, KEPT_FOR_SAVING_MS)
  return release
}
