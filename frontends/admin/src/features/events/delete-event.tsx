import { useState } from 'react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatSize } from '@confetti/album/album'
import { createEventCalls } from '@confetti/album/event-calls'
import { isNotFound } from '@confetti/api-client'
import type { Event } from '@confetti/contracts'
import { useNavigate } from '@confetti/federation/router'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { getFailureText } from '@confetti/ui/failure-text'
import { TextField } from '@confetti/ui/field'
import { notify } from '@confetti/ui/notify'
import { Skeleton } from '@confetti/ui/skeleton'
import Trash2 from 'lucide-react/icons/trash-2'
import { getText, useText } from '../../texts.ts'
import styles from './delete-event.module.css'
import { deleteEvent } from './events-api.ts'

/** How many files of how many guests an event has, and their bytes. */
const uploadTotalQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['upload-total', eventId],
    queryFn: async ({ signal }) => {
      const { total } = await createEventCalls(eventId, 'admin').listPage(
        { limit: 1 },
        { signal, quiet: true },
      )
      if (!total) throw new Error('The list of uploads has no total.')
      return total
    },
  })

/** What the deletion of an event deletes with it. */
const DeletedUploads = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const { data: total, isError, refetch } = useQuery(uploadTotalQuery(eventId))
  if (isError)
    return (
      <p className={styles.total}>
        {t('admin.events.delete.countFailed')}
        <Button variant="outline" size="small" onClick={() => void refetch()}>
          {t('common.retry')}
        </Button>
      </p>
    )
  return (
    <p className={styles.total} role="status">
      {total ? (
        <b>
          {total.files === 0
            ? t('admin.events.delete.noUploads')
            : t('admin.events.delete.uploads', {
                files: total.files,
                guests: total.guests,
                size: formatSize(total.bytes),
              })}
        </b>
      ) : (
        <Skeleton width="220px" height="24px" />
      )}
    </p>
  )
}

/** Deletes an event after its name has been typed. */
export const DeleteEvent = ({ event: { _id: eventId, name } }: { event: Event }) => {
  const t = useText()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const [typedName, setTypedName] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  /** Shown in the dialog, which hides notices from screen readers. */
  const [failure, setFailure] = useState<unknown>()

  const remove = async (): Promise<void> => {
    setIsBusy(true)
    setFailure(undefined)
    try {
      await deleteEvent(eventId).catch((error: unknown) => {
        if (!isNotFound(error)) throw error
      })
      notify({
        title: getText('admin.events.deleted.title'),
        message: getText('admin.events.deleted', { name }),
      })
      void navigate('/events')
      for (const key of ['event', 'upload-total', 'qr-code'])
        client.removeQueries({ queryKey: [key, eventId] })
      void client.invalidateQueries({ queryKey: ['events'] })
    } catch (error) {
      setFailure(error)
      setIsBusy(false)
    }
  }

  return (
    <Card as="section" aria-labelledby="delete-event" className={styles.card}>
      <h2 id="delete-event">{t('admin.events.delete')}</h2>
      <p>{t('admin.events.delete.what')}</p>
      <Button
        variant="danger"
        icon={<Trash2 size={20} aria-hidden />}
        onClick={() => {
          setTypedName('')
          setFailure(undefined)
          setIsOpen(true)
        }}
      >
        {t('admin.events.delete')}
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={t('admin.events.delete.title', { name })}
        text={t('admin.events.delete.text')}
        confirmLabel={isBusy ? t('admin.events.delete.busy') : t('admin.events.delete')}
        busy={isBusy}
        confirmable={typedName.trim() === name.trim()}
        onConfirm={() => void remove()}
        onCancel={() => {
          if (!isBusy) setIsOpen(false)
        }}
      >
        <div className={styles.confirmation}>
          <DeletedUploads eventId={eventId} />
          <TextField
            label={t('admin.events.delete.confirm')}
            autoComplete="off"
            dir="auto"
            hint={name}
            value={typedName}
            onChange={({ target }) => setTypedName(target.value)}
          />
          {failure !== undefined && (
            <p role="alert" className={styles.error}>
              {getFailureText(failure)}
            </p>
          )}
        </div>
      </ConfirmDialog>
    </Card>
  )
}
