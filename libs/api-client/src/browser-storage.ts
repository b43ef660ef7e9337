// Used where the browser refuses local storage (private mode, disk full): values then last until the page is closed.
// `stored` is what local storage had instead. Once it has something else, another tab has written or removed the value.
const memory = new Map<string, { value: string; stored: string | null }>()

const readStored = (key: string): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Local storage that never throws. */
export const browserStorage = {
  get: (key: string): string | undefined => {
    const stored = readStored(key)
    const unsaved = memory.get(key)
    return (unsaved?.stored === stored ? unsaved.value : stored) ?? undefined
  },
  set: (key: string, value: string): void => {
    try {
      localStorage.setItem(key, value)
      memory.delete(key)
    } catch {
      memory.set(key, { value, stored: readStored(key) })
    }
  },
  remove: (key: string): void => {
    memory.delete(key)
    try {
      localStorage.removeItem(key)
    } catch {
      // A browser that refuses storage has nothing to remove.
    }
  },
}
