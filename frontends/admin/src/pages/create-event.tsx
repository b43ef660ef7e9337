import { createEventCalls } from '@confetti/album/event-calls'
import { saveSettingsDraft } from '@confetti/album/settings/settings-form'
import { TimeZoneField } from '@confetti/album/settings/time-zone-field'
import { MAX_ORGANISERS, type Event } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { api, useSession } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import PartyPopper from 'lucide-react/icons/party-popper'
import { useState } from 'react'
import {
  emptyDraft,
  loadNewEvent,
  saveEdits,
  saveNewEvent,
  validateNewEvent,
  type NewEventDraft,
} from '../features/events/event-draft.ts'
import { EventForm, useEventForm } from '../features/events/event-form.tsx'
import { OrganisersField, UserField } from '../features/events/organisers-field.tsx'
import { getText, useText } from '../texts.ts'
import styles from './create-event.module.css'

/** What a new event does not have yet of its draft. */
interface Rest {
  organisers?: Event['organisers']
  timeZone?: string
}

/** Creates an event. Resolves with it, and with what is then to be saved. */
const createEvent = async ({
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
const saveRest = async (userId: string, { _id }: Event, rest: Rest): Promise<void> => {
  const { organisers, timeZone } = rest
  if (!organisers && timeZone === undefined) return
  keepRest(userId, _id, rest)
  await createEventCalls(_id, 'admin').updateEvent({
    ...(organisers && { organisers: organisers.map((organiser) => organiser._id) }),
    ...(timeZone !== undefined && { settings: { timeZone } }),
  })
  keepRest(userId, _id, {})
}

interface CreatedProps {
  event: Event
  /** Whether all of the draft has been saved. */
  isComplete: boolean
  isBusy: boolean
  onRetry: () => void
}

/** Says that the event has been created, and if so, that something of it could not be saved. */
const Created = ({ event: { _id, name }, isComplete, isBusy, onRetry }: CreatedProps) => {
  const t = useText()
  return (
    <div className={isComplete ? styles.created : styles.incomplete}>
      {isComplete && <PartyPopper size={20} aria-hidden />}
      <p>
        {t(isComplete ? 'admin.events.create.ready' : 'admin.events.create.incomplete', { name })}{' '}
        <Link to={`/events/${_id}`}>{t('admin.events.create.qrCode')}</Link>
      </p>
      {!isComplete && (
        <Button variant="secondary" size="small" aria-disabled={isBusy} onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  )
}

/** Creates an event. The draft is stored until the event has been created. */
const CreateEventForm = ({ userId }: { userId: string }) => {
  const t = useText()
  const [draft, setDraft] = useState(() => loadNewEvent(userId))
  const [created, setCreated] = useState<{ event: Event; rest: Rest; isComplete: boolean }>()
  const [createdCount, setCreatedCount] = useState(0)
  const [isRetrying, setIsRetrying] = useState(false)

  const update = (next: NewEventDraft): void => {
    setDraft(next)
    saveNewEvent(userId, next)
  }

  const complete = async (event: Event, rest: Rest): Promise<void> => {
    try {
      await saveRest(userId, event, rest)
      setCreated({ event, rest, isComplete: true })
      notify({ message: getText('admin.events.create.done') })
    } catch (error) {
      setCreated({ event, rest, isComplete: false })
      notifyError(getFailureText(error))
    }
  }

  const { form, isBusy, errors, change, submit } = useEventForm<NewEventDraft>({
    draft,
    onChange: (changes) => update({ ...draft, ...changes }),
    validate: validateNewEvent,
    send: async () => {
      const { event, rest } = await createEvent(draft)
      update(emptyDraft)
      setCreatedCount((count) => count + 1)
      await complete(event, rest)
      return '[role="status"] a'
    },
  })

  return (
    <EventForm
      form={form}
      draft={draft}
      errors={errors}
      onChange={change}
      onSubmit={(event) => {
        if (!isBusy) setCreated(undefined)
        submit(event)
      }}
      isBusy={isBusy}
      submitLabel={isBusy ? t('admin.events.create.busy') : t('admin.events.create.submit')}
      organisers={
        <>
          <UserField
            // Its search is cleared with the form.
            key={createdCount}
            value={draft.eventFor}
            onChange={(eventFor) =>
              change({ eventFor, others: draft.others.filter(({ _id }) => _id !== eventFor) })
            }
            error={errors.eventFor}
          />
          {draft.eventFor && (
            <OrganisersField
              label={t('admin.events.form.others')}
              value={draft.others}
              onChange={(others) => change({ others })}
              error={undefined}
              excludedId={draft.eventFor}
              max={MAX_ORGANISERS - 1}
            />
          )}
        </>
      }
      more={<TimeZoneField value={draft.timeZone} onChange={(timeZone) => change({ timeZone })} />}
    >
      <div role="status">
        {created && (
          <Created
            {...created}
            isBusy={isRetrying}
            onRetry={() => {
              if (isRetrying) return
              setIsRetrying(true)
              void complete(created.event, created.rest).finally(() => {
                setIsRetrying(false)
                form.current?.querySelector<HTMLElement>('[role="status"] a')?.focus()
              })
            }}
          />
        )}
      </div>
    </EventForm>
  )
}

export const CreateEvent = () => {
  const t = useText()
  const user = useSession((session) => session.user)
  return (
    <Page title={t('admin.tab.createEvent')} lead={t('admin.events.create.lead')}>
      {user && <CreateEventForm key={user._id} userId={user._id} />}
    </Page>
  )
}
