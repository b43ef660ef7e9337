/** What the upload page tells the thank-you page, by the state of its history entry. */
export interface Thanks {
  count: number
  eventId: string
  eventName: string
  credit: string
  celebrated?: boolean
}

/** Reads it back; nothing where somebody came by another way. */
export const thanksIn = (state: unknown): Thanks | undefined => {
  const thanks = state as Partial<Thanks> | null
  return typeof thanks?.count === 'number' && typeof thanks.eventId === 'string'
    ? (thanks as Thanks)
    : undefined
}
