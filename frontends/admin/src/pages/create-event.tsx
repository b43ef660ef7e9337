import type { Event, EventDraft } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { useSession } from '@confetti/session'
import { notify } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import PartyPopper from 'lucide-react/icons/party-popper'
import { useState } from 'react'
import { emptyDraft, loadNewEvent, saveNewEvent, validateNewEvent } from '../features/events/event-draft.ts'
import { EventForm, useEventForm } from '../features/events/event-form.tsx'
import { createEvent } from '../features/events/events-api.ts'
import { UserField } from '../features/events/organisers-field.tsx'
import { getText, useText } from '../texts.ts'
import styles from './create-event.module.css'

/** Creates an event. The draft is stored until the event has been created. */
const CreateEventForm = ({ userId }: { userId: string }) => {
  const t = useText()
  const [draft, setDraft] = useState(() => loadNewEvent(userId))
  const [created, setCreated] = useState<Event>()

  const update = (next: EventDraft): void => {
    setDraft(next)
    saveNewEvent(userId, next)
  }

  const { form, isBusy, errors, change, submit } = useEventForm({
    draft,
    onChange: (changes) => update({ ...draft, ...changes }),
    validate: validateNewEvent,
    send: async () => {
      setCreated(await createEvent(draft))
      update(emptyDraft)
      notify({ message: getText('admin.events.create.done') })
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
        <UserField
          value={draft.eventFor}
          onChange={(eventFor) => change({ eventFor })}
          error={errors.eventFor}
        />
      }
    >
      <div role="status">
        {created && (
          <p className={styles.created}>
            <PartyPopper size={20} aria-hidden />
            <span>
              {t('admin.events.create.ready', { name: created.name })}{' '}
              <Link to={`/events/${created._id}`}>{t('admin.events.create.qrCode')}</Link>
            </span>
          </p>
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
