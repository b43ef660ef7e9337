import { createEventCalls } from '@confetti/album/event-calls'
import { saveSettingsDraft } from '@confetti/album/settings/settings-form'
import type { Event } from '@confetti/contracts'
import { api } from '@confetti/session'
import { saveEdits, type NewEventDraft } from './event-draft.ts'

/** What a new event does not have yet of its draft. */
export interface Rest {
  organisers?: Event['organisers']
  timeZone?: string
}

/** Creates an event. Resolves with it, and with what is then to be saved. */
export const createEvent = async ({
  timeZone,
  others,
  ...details
}: NewEventDraft): Promise<{ event: Event; rest: Rest }> => {
  const { event } = await api().post('/api/events', { body: details })
  return {
    event,
    rest: {
      ...(others.length > 0 && { organisers: [...event.organisers, ...others] }),
      ...(timeZone !== event.timeZone && { timeZone }),
    },
  }
}

/** Keeps the rest as unsaved changes on the event's own pages; an empty one removes them. */
const keepRest = (userId: string, eventId: string, { organisers, timeZone }: Rest): void => {
  saveEdits(userId, eventId, organisers ? { organisers } : {})
  saveSettingsDraft(userId, eventId, timeZone === undefined ? {} : { timeZone })
}

/** Saves the rest. Until that has succeeded it is kept as unsaved changes on the event's own pages. */
export const saveRest = async (userId: string, { _id }: Event, rest: Rest): Promise<void> => {
  const { organisers, timeZone } = rest
  if (!organisers && timeZone === undefined) return
  keepRest(userId, _id, rest)
  await createEventCalls(_id, 'admin').updateEvent({
    ...(organisers && { organisers: organisers.map((organiser) => organiser._id) }),
    ...(timeZone !== undefined && { settings: { timeZone } }),
  })
  keepRest(userId, _id, {})
}
