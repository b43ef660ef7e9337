import { useState } from 'react'
import type { Event, EventDraft } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { notify } from '@confetti/ui/notify'
import PartyPopper from 'lucide-react/icons/party-popper'
import { getText, useText } from '../../texts.ts'
import styles from './create-event-form.module.css'
import { loadNewEvent, saveNewEvent } from './draft-storage.ts'
import { emptyDraft, validateNewEvent } from './event-draft.ts'
import { EventForm } from './event-form.tsx'
import { createEvent } from './events-api.ts'
import { useEventForm } from './use-event-form.ts'
import { UserField } from './user-field.tsx'

/** Creates an event. The draft is stored until the event has been created. */
export const CreateEventForm = ({ userId }: { userId: string }) => {
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
