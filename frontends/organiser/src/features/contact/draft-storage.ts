/** A message that has not been sent yet. */
export interface MessageDraft {
  subject: string
  message: string
}

export const emptyDraft: MessageDraft = { subject: '', message: '' }

// Per user and tab: the next user on this device does not see it, and it is deleted with the tab.
const keyOf = (userId: string): string => `contactDraft:${userId}`

/** The draft that this user has stored in this tab, or an empty one. */
export const loadDraft = (userId: string): MessageDraft => {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? 'null') as Partial<MessageDraft> | null
    if (typeof stored?.subject === 'string' && typeof stored.message === 'string')
      return { subject: stored.subject, message: stored.message }
  } catch {
    // Storage is unavailable, or its content is not a draft.
  }
  return emptyDraft
}

/** Stores a draft so that it survives a reload, an expired session and navigation; removes an empty one. */
export const saveDraft = (userId: string, draft: MessageDraft): void => {
  try {
    if (draft.subject || draft.message) sessionStorage.setItem(keyOf(userId), JSON.stringify(draft))
    else sessionStorage.removeItem(keyOf(userId))
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}
