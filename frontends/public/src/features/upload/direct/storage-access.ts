const MAX_FAILURES = 2

/**
 * Creates the record of whether blob storage can be reached. It is blocked when two sends in a row got no response, each
 * followed by a call to the API that succeeded: then the device is not offline. Sends of the same moment count once.
 */
export const createStorageAccess = (now: () => number) => {
  let failures = 0
  let lastFailureAt = -Infinity

  return {
    isBlocked: (): boolean => failures >= MAX_FAILURES,

    /** Records a send that started at `startedAt` and got no response, although the API responded after it. */
    recordFailure: (startedAt: number): void => {
      if (startedAt < lastFailureAt) return
      failures += 1
      lastFailureAt = now()
    },

    /** Records that the storage responded. */
    recordResponse: (): void => {
      if (failures < MAX_FAILURES) failures = 0
    },
  }
}

export type StorageAccess = ReturnType<typeof createStorageAccess>
