/** What live updates have reported, until it has been loaded. */
export const createReportedChanges = () => {
  const ids = new Set<string>()
  let isReset = false
  return {
    add: (uploadId: string): void => void ids.add(uploadId),
    remove: (uploadId: string): void => void ids.delete(uploadId),
    /** Any upload may have changed. */
    addAll: (): void => {
      isReset = true
    },
    /** Takes the changes for a request. If the request fails, `restore` keeps them for the next one. */
    take: () => {
      const taken = { ids: new Set(ids), isReset }
      ids.clear()
      isReset = false
      const restore = (): void => {
        for (const id of taken.ids) ids.add(id)
        isReset ||= taken.isReset
      }
      return { ...taken, restore }
    },
  }
}
