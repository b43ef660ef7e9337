import { useState, type Dispatch, type SetStateAction } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Event } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { getFieldErrors } from '@confetti/ui/failure-text'
import { useForm } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import type { EventCalls } from '../event-calls.ts'
import type { ListPage } from '../load-uploads.ts'
import { getText, useText } from '../texts.ts'
import styles from './event-settings.module.css'
import { GuestPreview } from './guest-preview.tsx'
import { OrganisersCard } from './organisers-card.tsx'
import { QuotaUsage } from './quota-usage.tsx'
import {
  findEdits,
  findTexts,
  loadSettingsDraft,
  saveSettingsDraft,
  toChange,
  toForm,
  toFormErrors,
  validate,
  type SettingsEdits,
} from './settings-form.ts'
import { SettingsFields } from './settings-fields.tsx'
import { useCover } from './cover-field.tsx'
import { WallCard } from './wall-card.tsx'

/** The calls of the API about the settings of one event. */
export type SettingsCalls = Pick<
  EventCalls,
  | 'updateEvent'
  | 'inviteOrganiser'
  | 'withdrawInvitation'
  | 'removeOrganiser'
  | 'getCover'
  | 'createWall'
  | 'deleteWall'
  | 'listPage'
  | 'loadConsents'
>

interface Props {
  event: Event
  calls: SettingsCalls
  user: { _id: string; isAdmin: boolean }
  /** Whether the site sends mail. Undefined until it is known. */
  mail: 'on' | 'off' | undefined
  /** Called with the event as the server has stored it, or with what has changed of the latest one. */
  onChanged: Dispatch<SetStateAction<Event>>
  /** Called when the user is no longer an organiser of the event. */
  onLeft: () => void
}

const useUploadTotal = (eventId: string, listPage: ListPage) =>
  useQuery({
    queryKey: ['upload-total', eventId],
    queryFn: async ({ signal }) => (await listPage({ limit: 1 }, { signal, quiet: true })).total ?? null,
  })

/**
 * The settings of an event beside a preview of the guest page. Saves what has changed only, and stores edits in this tab
 * until they are saved.
 */
export const EventSettings = ({ event, calls, user, mail, onChanged, onLeft }: Props) => {
  const t = useText()
  const eventId = event._id
  const [edits, setEdits] = useState<SettingsEdits>(() => loadSettingsDraft(user._id, eventId))
  const { form: formRef, isBusy: isSaving, errors, show, clear, send } = useForm()
  const cover = useCover(event, calls.getCover)
  const total = useUploadTotal(eventId, calls.listPage)

  const changed = findEdits(event, edits)
  const isChanged = Object.keys(changed).length > 0
  const form = { ...toForm(event), ...edits }

  const update = (next: SettingsEdits): void => {
    setEdits(next)
    saveSettingsDraft(user._id, eventId, findEdits(event, next))
  }
  const change = (changes: SettingsEdits): void => {
    update({ ...edits, ...changes })
    for (const field of Object.keys(changes)) clear(field)
    if (changes.uploads || changes.timeZone !== undefined) clear('uploadsCloseAt')
  }

  const save = async (): Promise<void> => {
    const sent = changed
    const saved = await calls.updateEvent({ settings: toChange(event, sent) })
    onChanged(saved)
    // What was typed meanwhile stays.
    setEdits((current) => {
      const isSent = ([field, value]: [string, string | undefined]): boolean =>
        sent[field as keyof typeof sent] === value
      const next = Object.fromEntries(Object.entries(current).filter((edit) => !isSent(edit)))
      saveSettingsDraft(user._id, eventId, findEdits(saved, next))
      return next
    })
    if (sent.uploads === 'open' && !saved.uploadsOpen) {
      const getMessage = () => getText('album.settings.stillClosed')
      notifyError(getMessage())
      show(() => ({ uploadsCloseAt: getMessage() }))
    } else notify({ message: getText('album.settings.saved') })
  }

  const submit = (): void => {
    if (isSaving || !isChanged) return
    const findInvalid = () => validate(event, changed)
    show(findInvalid)
    if (Object.keys(findInvalid()).length === 0)
      void send(save, { getErrors: (error) => toFormErrors(getFieldErrors(error)) })
    else notifyError(getText('album.settings.checkFields'))
  }

  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Card>
          <form
            ref={formRef}
            noValidate
            className={styles.form}
            onSubmit={(submitEvent) => {
              submitEvent.preventDefault()
              submit()
            }}
          >
            <SettingsFields
              event={event}
              form={form}
              edits={changed}
              errors={{ ...validate(event, findTexts(changed)), ...errors }}
              isAdmin={user.isAdmin}
              hasMail={mail === 'on'}
              cover={cover}
              listPage={calls.listPage}
              loadConsents={calls.loadConsents}
              onChange={change}
            />
            <QuotaUsage
              event={event}
              total={total.data ?? undefined}
              onRetry={total.isError ? () => void total.refetch() : undefined}
            />
            <Button type="submit" size="large" wide aria-disabled={isSaving || !isChanged}>
              {isSaving ? t('album.settings.saving') : t('album.settings.save')}
            </Button>
            <div className={styles.unsaved} role="status">
              {isChanged && (
                <>
                  {t('album.settings.unsaved')}
                  <Button
                    variant="outline"
                    size="small"
                    onClick={() => {
                      update({})
                      clear()
                      formRef.current?.querySelector<HTMLElement>('[type="submit"]')?.focus()
                    }}
                  >
                    {t('album.settings.discard')}
                  </Button>
                </>
              )}
            </div>
          </form>
        </Card>
        <WallCard event={event} calls={calls} onChanged={onChanged} />
        <OrganisersCard event={event} calls={calls} userId={user._id} onChanged={onChanged} onLeft={onLeft} />
      </div>
      <GuestPreview event={event} form={form} coverUrl={cover.findUrl(form.cover)} />
    </div>
  )
}
