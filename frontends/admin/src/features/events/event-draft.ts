import { defaultTextLimits, isTooLong, type Event, type EventDraft } from '@confetti/contracts'
import { readDraft, writeDraft } from '@confetti/ui/drafts'
import type { Text, TextId } from '../../texts.ts'

/** The fields that the forms to create and to edit an event have in common. */
export type EventFields = Omit<EventDraft, 'eventFor'>

type Organiser = Event['eventFor']

const emptyDetails: EventDraft = { name: '', description: '', startDate: '', endDate: '', eventFor: '' }

/** A new event as its form has it: what it is created with, and what is saved once it exists. */
export interface NewEventDraft extends EventDraft {
  timeZone: string
  /** The organisers beside the user to whom it is assigned. */
  others: readonly Organiser[]
}

export const emptyDraft: NewEventDraft = {
  ...emptyDetails,
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  others: [],
}

const requiredFields = Object.keys(emptyDetails) as (keyof EventDraft)[]

const keyOf = (userId: string, eventId?: string): string =>
  ['eventDraft', userId, eventId].filter(Boolean).join(':')

/** The draft of a new event that this user has stored in this tab, or an empty one. */
export const loadNewEvent = (userId: string): NewEventDraft => {
  const stored = readDraft(keyOf(userId)) as Partial<NewEventDraft> | undefined
  if (stored && requiredFields.every((field) => typeof stored[field] === 'string'))
    return { ...emptyDraft, ...stored }
  return emptyDraft
}

/** Stores a draft; removes an empty one. */
export const saveNewEvent = (userId: string, draft: NewEventDraft): void =>
  writeDraft(keyOf(userId), JSON.stringify(draft) === JSON.stringify(emptyDraft) ? undefined : draft)

/** What is changed of an event before it is saved. */
export type EventEdits = Partial<EventFields & { organisers: readonly Organiser[] }>

/** The changes of an event that this user has stored in this tab. */
export const loadEdits = (userId: string, eventId: string): EventEdits => {
  const stored = readDraft(keyOf(userId, eventId))
  return typeof stored === 'object' && stored ? stored : {}
}

/** Stores the changes of an event as `saveNewEvent` does; removes them if there are none. */
export const saveEdits = (userId: string, eventId: string, edits: EventEdits): void =>
  writeDraft(keyOf(userId, eventId), Object.keys(edits).length > 0 ? edits : undefined)

const MISSING_FIELDS = 'admin.events.form.missing'
export const END_BEFORE_START = 'admin.events.form.endBeforeStart'

export interface DraftErrors {
  /** The first problem of the whole draft, for a notice. */
  summary?: TextId
  /** Messages by field. */
  fields: Readonly<Record<string, string>>
}

/** Checks that required fields are filled in and that the dates are in order. `organisers` has the message about missing organisers. */
const validateFields = (t: Text, draft: EventFields, organisers: DraftErrors['fields']): DraftErrors => {
  const missing = {
    ...(!draft.name.trim() && { name: t('admin.events.form.nameMissing') }),
    ...organisers,
    ...(!draft.startDate && { startDate: t('admin.events.form.startMissing') }),
    ...(!draft.endDate && { endDate: t('admin.events.form.endMissing') }),
  }
  if (Object.keys(missing).length > 0) return { summary: MISSING_FIELDS, fields: missing }
  if (draft.endDate < draft.startDate)
    return { summary: END_BEFORE_START, fields: { endDate: t(END_BEFORE_START) } }
  return { fields: {} }
}

export const validateNewEvent = (t: Text, draft: EventDraft): DraftErrors =>
  validateFields(t, draft, draft.eventFor ? {} : { eventFor: t('admin.events.form.userMissing') })

export const validateEvent = (
  t: Text,
  draft: EventFields & { organisers: readonly unknown[] },
): DraftErrors =>
  validateFields(
    t,
    draft,
    draft.organisers.length > 0 ? {} : { organisers: t('admin.events.form.organisersMissing') },
  )

/** The texts that are too long for the default limits. The server decides, because a site can have other limits. */
export const findTooLongFields = (
  t: Text,
  { name, description = '' }: EventFields,
): DraftErrors['fields'] => {
  const { MAX_EVENT_NAME_CHARACTERS, MAX_EVENT_DESCRIPTION_CHARACTERS } = defaultTextLimits
  return {
    ...(isTooLong(name, MAX_EVENT_NAME_CHARACTERS) && {
      name: t('admin.events.form.nameTooLong', { max: MAX_EVENT_NAME_CHARACTERS }),
    }),
    ...(isTooLong(description, MAX_EVENT_DESCRIPTION_CHARACTERS) && {
      description: t('admin.events.form.descriptionTooLong', { max: MAX_EVENT_DESCRIPTION_CHARACTERS }),
    }),
  }
}
