import { defaultTextLimits, findTooLong, type EventDraft } from '@confetti/contracts'

export const emptyDraft: EventDraft = { name: '', description: '', startDate: '', endDate: '', eventFor: '' }

const MISSING_FIELDS = 'Please fill in all required fields including user.'
export const END_BEFORE_START = 'The end date is before the start date.'

const requiredMessages = {
  name: 'Give the event a name.',
  eventFor: 'Choose a user.',
  startDate: 'Pick the first day.',
  endDate: 'Pick the last day.',
}

export interface DraftErrors {
  /** The first problem of the whole draft, for a notice. */
  summary?: string
  fields: Partial<Record<keyof EventDraft, string>>
}

/** Checks that required fields are filled in and that the dates are in order. */
export const validateDraft = (draft: EventDraft): DraftErrors => {
  const missing = Object.entries(requiredMessages).filter(
    ([field]) => !draft[field as keyof typeof requiredMessages].trim(),
  )
  if (missing.length > 0) return { summary: MISSING_FIELDS, fields: Object.fromEntries(missing) }
  if (draft.endDate < draft.startDate)
    return { summary: END_BEFORE_START, fields: { endDate: END_BEFORE_START } }
  return { fields: {} }
}

/** The texts that are too long for the default limits. The server decides, because a site can have other limits. */
export const findTooLongFields = ({ name, description = '' }: EventDraft): DraftErrors['fields'] => {
  const nameError = findTooLong('event name', name, defaultTextLimits.MAX_EVENT_NAME_CHARACTERS)
  const descriptionError = findTooLong(
    'description',
    description,
    defaultTextLimits.MAX_EVENT_DESCRIPTION_CHARACTERS,
  )
  return { ...(nameError && { name: nameError }), ...(descriptionError && { description: descriptionError }) }
}
