/** A message that is being written. */
export interface Draft {
  subject: string
  message: string
}

export const noDraft: Draft = { subject: '', message: '' }

// Of one person in one tab: whoever signs in next does not find it, and it ends with the tab.
const keyOf = (userId: string): string => `contactDraft:${userId}`

/** What this person had not sent yet, in this tab. */
export const keptDraft = (userId: string): Draft => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? 'null') as Partial<Draft> | null
    if (typeof kept?.subject === 'string' && typeof kept.message === 'string')
      return { subject: kept.subject, message: kept.message }
  } catch {
    // No storage, or nothing of ours in it.
  }
  return noDraft
}

/** Keeps a draft over a reload, a lost session, a visit to another page; an empty one is forgotten. */
export const keepDraft = (userId: string, draft: Draft): void => {
  try {
    if (draft.subject || draft.message) sessionStorage.setItem(keyOf(userId), JSON.stringify(draft))
    else sessionStorage.removeItem(keyOf(userId))
  } catch {
    // Where nothing can be stored, the page itself still has it.
  }
}
