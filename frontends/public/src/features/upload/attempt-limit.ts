// With the backoff between them, a file survives an outage of about four minutes.
const MAX_ATTEMPTS_WITHOUT_PROGRESS = 20

interface Attempts {
  withoutProgress: number
  /** The most bytes that any attempt has sent. */
  furthestBytes: number
}

/**
 * Creates the limit of a send queue on attempts that make no progress. An attempt makes progress if it gets further than
 * all earlier ones of its file, or if another file has been sent in the meantime.
 */
export const createAttemptLimit = () => {
  const attemptsById = new Map<number, Attempts>()

  return {
    /** Records a failed attempt. Returns whether the file may be sent again. */
    recordFailure: (id: number, sentBytes: number): boolean => {
      const { withoutProgress, furthestBytes } = attemptsById.get(id) ?? {
        withoutProgress: 0,
        furthestBytes: 0,
      }
      const attempts =
        sentBytes > furthestBytes
          ? { withoutProgress: 0, furthestBytes: sentBytes }
          : { withoutProgress: withoutProgress + 1, furthestBytes }
      attemptsById.set(id, attempts)
      return attempts.withoutProgress < MAX_ATTEMPTS_WITHOUT_PROGRESS
    },

    /** Records that a file was sent, which is progress for all. */
    recordSent: (): void => attemptsById.clear(),

    /** Removes the attempts of a file. */
    reset: (id: number): void => void attemptsById.delete(id),
  }
}
