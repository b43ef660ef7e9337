import type { EventDraft } from './events-api.ts'

export const emptyDraft: EventDraft = { name: '', description: '', startDate: '', endDate: '', eventFor: '' }

const MISSING = 'Please fill in all required fields including user.'
export const BACKWARDS = 'The end date is before the start date.'

const askFor: Omit<Record<keyof EventDraft, string>, 'description'> = {
  name: 'Give the event a name.',
  eventFor: 'Choose whose event it is.',
  startDate: 'Pick the first day.',
  endDate: 'Pick the last day.',
}

export interface Problems {
  /** What to say of the whole draft. */
  summary?: string
  fields: Partial<Record<keyof EventDraft, string>>
}

/** What keeps a draft from becoming an event. */
export const problemsOf = (draft: EventDraft): Problems => {
  const missing = Object.entries(askFor).filter(([field]) => !draft[field as keyof EventDraft].trim())
  if (missing.length > 0) return { summary: MISSING, fields: Object.fromEntries(missing) }
  if (draft.endDate < draft.startDate) return { summary: BACKWARDS, fields: { endDate: BACKWARDS } }
  return { fields: {} }
}
