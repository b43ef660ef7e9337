import type { EventDraft } from '@confetti/contracts'
import { emptyDraft } from './event-draft.ts'

const requiredFields = Object.keys(emptyDraft) as (keyof EventDraft)[]

// Per user and tab: the next user on this device does not see it, and it is deleted with the tab.
const keyOf = (userId: string): string => `eventDraft:${userId}`

/** The draft that this user has stored in this tab, or an empty one. */
export const loadDraft = (userId: string): EventDraft => {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? 'null') as Partial<EventDraft> | null
    if (stored && requiredFields.every((field) => typeof stored[field] === 'string'))
      return { ...emptyDraft, ...stored }
  } catch {
    // Storage is unavailable, or its content is not a draft.
  }
  return emptyDraft
}

/** Stores a draft so that it survives a reload, an expired session and navigation; removes an empty one. */
export const saveDraft = (userId: string, draft: EventDraft): void => {
  try {
    if (Object.values(draft).some(Boolean)) sessionStorage.setItem(keyOf(userId), JSON.stringify(draft))
    else sessionStorage.removeItem(keyOf(userId))
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}
