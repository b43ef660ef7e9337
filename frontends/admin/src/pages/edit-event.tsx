import { createEventCalls, storeEvent, type EventChange } from '@confetti/album/event-calls'
import type { Event } from '@confetti/contracts'
import { useNavigate, useParams } from '@confetti/federation/router'
import { useSession } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { notify } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DeleteEvent } from '../features/events/delete-event.tsx'
import {
  loadEdits,
  saveEdits,
  validateEvent,
  type EventEdits,
  type EventFields,
} from '../features/events/event-draft.ts'
import { EventForm, useEventForm } from '../features/events/event-form.tsx'
import { BackToEvent, LoadedEvent } from '../features/events/loaded-event.tsx'
import { OrganisersField } from '../features/events/organisers-field.tsx'
import { getText, useText } from '../texts.ts'
import styles from './edit-event.module.css'

type EditableFields = EventFields & Required<Pick<EventEdits, 'organisers'>>

/** An optional field that is absent is shown as an empty one. */
const isSame = (one: unknown = '', other: unknown = ''): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The edits that differ from the event. */
const findChanges = (event: Event, edits: EventEdits): EventEdits => {
  const fields: EventEdits = event
  return Object.fromEntries(
    Object.entries(edits).filter(([field, value]) => !isSame(fields[field as keyof EventEdits], value)),
  )
}

const toRequest = ({ organisers, ...fields }: EventEdits): EventChange => ({
  ...fields,
  ...(organisers && { organisers: organisers.map(({ _id }) => _id) }),
})

/** Changes name, description, days and organisers of an event. What is not saved yet is stored. */
const EditEventForm = ({ event, userId }: { event: Event; userId: string }) => {
  const t = useText()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [edits, setEdits] = useState(() => loadEdits(userId, event._id))
  const changes = findChanges(event, edits)
  const isChanged = Object.keys(changes).length > 0
  const draft = { ...event, ...edits }

  const update = (next: EventEdits): void => {
    setEdits(next)
    saveEdits(userId, event._id, findChanges(event, next))
  }

  const { form, isBusy, errors, change, submit } = useEventForm<EditableFields>({
    draft,
    onChange: (changed) => update({ ...edits, ...changed }),
    validate: validateEvent,
    send: async () => {
      if (isChanged) {
        const saved = await createEventCalls(event._id, 'admin').updateEvent(toRequest(changes))
        update({})
        storeEvent(client, saved)
      }
      notify({ message: getText('admin.events.edit.saved') })
      void navigate(`/events/${event._id}`)
      return '[type="submit"]'
    },
  })
  const organisersError = Object.entries(errors).find(([field]) => field.startsWith('organisers'))?.[1]

  return (
    <EventForm
      form={form}
      draft={draft}
      errors={errors}
      onChange={change}
      onSubmit={submit}
      isBusy={isBusy}
      submitLabel={isBusy ? t('admin.events.edit.busy') : t('admin.events.edit.save')}
      organisers={
        <OrganisersField
          label={t('admin.events.form.organisers')}
          value={draft.organisers}
          onChange={(organisers) => change({ organisers })}
          error={organisersError}
        />
      }
    >
      {isChanged && (
        <p className={styles.unsaved}>
          {t('admin.events.edit.unsaved')}
          <Button variant="outline" size="small" disabled={isBusy} onClick={() => update({})}>
            {t('admin.events.edit.discard')}
          </Button>
        </p>
      )}
    </EventForm>
  )
}

export const EditEvent = () => {
  const t = useText()
  const { eventId = '' } = useParams()
  const user = useSession((session) => session.user)
  return (
    <LoadedEvent key={eventId} eventId={eventId} title={t('admin.tab.editEvent')}>
      {(event) => (
        <>
          <BackToEvent eventId={eventId} />
          <Page title={t('admin.tab.editEvent')} lead={<bdi>{event.name}</bdi>}>
            {user && <EditEventForm key={user._id} event={event} userId={user._id} />}
            <DeleteEvent event={event} />
          </Page>
        </>
      )}
    </LoadedEvent>
  )
}
