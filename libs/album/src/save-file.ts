// Some browsers ask where to save the file, and read it only after the answer.
const OBJECT_URL_LIFETIME_MS = 40_000

/**
 * Saves a file to the browser's downloads. Returns a function that frees its memory; without a call of it the
 * memory is freed after 40 s.
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
  const timer = setTimeout(release, OBJECT_URL_LIFETIME_MS)
  return release
}
