import { emptyDraft } from './event-draft.ts'
import type { EventDraft } from './events-api.ts'

const fields = Object.keys(emptyDraft) as (keyof EventDraft)[]

// Of one person in one tab: whoever signs in next does not find it, and it ends with the tab.
const keyOf = (userId: string): string => `eventDraft:${userId}`

/** The event that this person has not created yet, in this tab. */
export const keptDraft = (userId: string): EventDraft => {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? 'null') as Partial<EventDraft> | null
    if (kept && fields.every((field) => typeof kept[field] === 'string')) return { ...emptyDraft, ...kept }
  } catch {
    // No storage, or nothing of ours in it.
  }
  return emptyDraft
}

/** Keeps a draft over a reload, a lost session, a visit to another page; an empty one is forgotten. */
export const keepDraft = (userId: string, draft: EventDraft): void => {
  try {
    if (fields.some((field) => draft[field])) sessionStorage.setItem(keyOf(userId), JSON.stringify(draft))
    else sessionStorage.removeItem(keyOf(userId))
  } catch {
    // Where nothing can be stored, the page itself still has it.
  }
}
