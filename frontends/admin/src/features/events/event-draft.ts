import { defaultTextLimits, findTooLong, type EventDraft } from '@confetti/contracts'

/** The fields that the forms to create and to edit an event have in common. */
export type EventFields = Pick<EventDraft, 'name' | 'description' | 'startDate' | 'endDate'>

export const emptyDraft: EventDraft = { name: '', description: '', startDate: '', endDate: '', eventFor: '' }

const MISSING_FIELDS = 'Please fill in all required fields including user.'
export const END_BEFORE_START = 'The end date is before the start date.'

export interface DraftErrors {
  /** The first problem of the whole draft, for a notice. */
  summary?: string
  /** Messages by field. */
  fields: Readonly<Record<string, string>>
}

/** Checks that required fields are filled in and that the dates are in order. `organisers` has the message about missing organisers. */
const validateFields = (draft: EventFields, organisers: DraftErrors['fields']): DraftErrors => {
  const missing = {
    ...(!draft.name.trim() && { name: 'Give the event a name.' }),
    ...organisers,
    ...(!draft.startDate && { startDate: 'Pick the first day.' }),
    ...(!draft.endDate && { endDate: 'Pick the last day.' }),
  }
  if (Object.keys(missing).length > 0) return { summary: MISSING_FIELDS, fields: missing }
  if (draft.endDate < draft.startDate)
    return { summary: END_BEFORE_START, fields: { endDate: END_BEFORE_START } }
  return { fields: {} }
}

export const validateNewEvent = (draft: EventDraft): DraftErrors =>
  validateFields(draft, draft.eventFor ? {} : { eventFor: 'Choose a user.' })

export const validateEvent = (draft: EventFields & { organisers: readonly unknown[] }): DraftErrors =>
  validateFields(draft, draft.organisers.length > 0 ? {} : { organisers: 'Choose at least one organiser.' })

/** The texts that are too long for the default limits. The server decides, because a site can have other limits. */
export const findTooLongFields = ({ name, description = '' }: EventFields): DraftErrors['fields'] => {
  const nameError = findTooLong('event name', name, defaultTextLimits.MAX_EVENT_NAME_CHARACTERS)
  const descriptionError = findTooLong(
    'description',
    description,
    defaultTextLimits.MAX_EVENT_DESCRIPTION_CHARACTERS,
  )
  return { ...(nameError && { name: nameError }), ...(descriptionError && { description: descriptionError }) }
}
