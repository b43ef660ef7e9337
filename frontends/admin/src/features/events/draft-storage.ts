import type { Event, EventDraft } from '@confetti/contracts'
import { emptyDraft, type EventFields } from './event-draft.ts'

const requiredFields = Object.keys(emptyDraft) as (keyof EventDraft)[]

// Per user and tab: the next user on this device does not see it, and it is deleted with the tab.
const keyOf = (userId: string, eventId?: string): string =>
  ['eventDraft', userId, eventId].filter(Boolean).join(':')

const read = (key: string): unknown => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as unknown
  } catch {
    // Storage is unavailable, or its content is not a draft.
    return undefined
  }
}

const write = (key: string, draft: object | undefined): void => {
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
  } catch {
    // Without storage the draft lasts as long as the page.
  }
}

/** The draft of a new event that this user has stored in this tab, or an empty one. */
export const loadNewEvent = (userId: string): EventDraft => {
  const stored = read(keyOf(userId)) as Partial<EventDraft> | null | undefined
  if (stored && requiredFields.every((field) => typeof stored[field] === 'string'))
    return { ...emptyDraft, ...stored }
  return emptyDraft
}

/** Stores a draft so that it survives a reload, an expired session and navigation; removes an empty one. */
export const saveNewEvent = (userId: string, draft: EventDraft): void =>
  write(keyOf(userId), Object.values(draft).some(Boolean) ? draft : undefined)

/** What is changed of an event before it is saved. */
export type EventEdits = Partial<EventFields & { organisers: readonly Event['eventFor'][] }>

/** The changes of an event that this user has stored in this tab. */
export const loadEdits = (userId: string, eventId: string): EventEdits => {
  const stored = read(keyOf(userId, eventId)) as EventEdits | null | undefined
  return typeof stored === 'object' && stored ? stored : {}
}

/** Stores the changes of an event as `saveNewEvent` does; removes them if there are none. */
export const saveEdits = (userId: string, eventId: string, edits: EventEdits): void =>
  write(keyOf(userId, eventId), Object.keys(edits).length > 0 ? edits : undefined)
