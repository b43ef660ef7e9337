interface RefusedFile {
  name: string
  reason: string
}

/** The state that the upload page passes to the thank-you page, in the history entry. */
export interface ThankYouState {
  count: number
  eventId: string
  eventName: string
  credit: string
  hasGallery?: boolean
  /** The files that were not sent; the first of them, if there are many. */
  refused?: readonly RefusedFile[]
  /** How many files were not sent; absent in entries of older versions, which have all of them. */
  refusedCount?: number
  celebrated?: boolean
}

/** Parses the state of a history entry. Returns undefined if the visitor did not come from the upload page. */
export const parseThankYouState = (state: unknown): ThankYouState | undefined => {
  const parsed = state as Partial<ThankYouState> | null
  return typeof parsed?.count === 'number' && typeof parsed.eventId === 'string'
    ? (parsed as ThankYouState)
    : undefined
}
