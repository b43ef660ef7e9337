import { createEventCalls, eventQuery, type EventCalls } from '@confetti/album/event-calls'
import { Album, albumSize, albumTotal, countPending } from '@confetti/album/album'
import { createDeletionQueue, notifyFailedDeletions } from '@confetti/album/deletion-queue'
import { useModeration } from '@confetti/album/moderation'
import { QuotaWarning } from '@confetti/album/settings/quota-usage'
import { useUploads } from '@confetti/album/use-uploads'
import { ZipPanel } from '@confetti/album/zip-panel'
import type { Upload } from '@confetti/contracts'
import { Link, useParams } from '@confetti/federation/router'
import { site } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { EmptyState } from '@confetti/ui/empty-state'
import { notify } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import { useQuery } from '@tanstack/react-query'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import { useCallback, useMemo, useState } from 'react'
import { BackToEvent, EventNotFound } from '../features/events/loaded-event.tsx'
import { getText, useText } from '../texts.ts'
import styles from './event-uploads.module.css'

const notifyDeleted = (count: number): void => {
  const message =
    count === 1 ? getText('admin.uploads.deleted') : getText('admin.uploads.deletedMany', { count })
  notify({ title: getText('admin.success'), message })
}

/** Deletes the chosen uploads after a confirmation. Calls `onDeleted` for each that no longer exists. */
const useDeletion = (calls: EventCalls, onDeleted: (id: string) => void) => {
  const [chosen, setChosen] = useState<readonly Upload[]>([])
  const [deletingIds, setDeletingIds] = useState<ReadonlySet<string>>(new Set())
  const [enqueue] = useState(() => {
    const end = (id: string): void =>
      setDeletingIds((before) => new Set([...before].filter((each) => each !== id)))
    return createDeletionQueue({
      remove: (id) => calls.deleteUpload(id, { quiet: false }),
      onDeleted: (id) => {
        end(id)
        onDeleted(id)
      },
      onFailed: ({ upload }) => end(upload._id),
      onDone: (deletedCount, failures) => {
        if (failures.length > 0) notifyFailedDeletions(failures)
        else notifyDeleted(deletedCount)
      },
    })
  })

  return {
    chosenCount: chosen.length,
    deletingIds,
    choose: useCallback((uploads: readonly Upload[]) => setChosen(uploads), []),
    cancel: (): void => setChosen([]),
    confirm: (): void => {
      setChosen([])
      setDeletingIds((before) => new Set([...before, ...chosen.map(({ _id }) => _id)]))
      enqueue(chosen)
    },
  }
}

const EmptyHint = ({ eventId, uploadUrl }: { eventId: string; uploadUrl: string | undefined }) => {
  const t = useText()
  return (
    <>
      <p>{t('admin.uploads.emptyHint')}</p>
      {uploadUrl && (
        <a className={styles.link} href={uploadUrl} target="_blank" rel="noreferrer">
          <bdi>{uploadUrl}</bdi>
        </a>
      )}
      <Link to={`/events/${eventId}`} className={buttonClass({ variant: 'secondary' })}>
        {t('admin.uploads.showQrCode')}
      </Link>
    </>
  )
}

/** The name of the event and how much was uploaded, as far as they are loaded. */
const Lead = ({ name, total }: { name: string | undefined; total: string | undefined }) => {
  const t = useText()
  if (name !== undefined && total !== undefined) return t('admin.uploads.lead', { name, total })
  return <bdi>{name ?? total ?? '\u00a0'}</bdi>
}

/** The uploads of one event, which an admin can view, download, hide and delete. */
const EventUploadsView = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const calls = useMemo(() => createEventCalls(eventId, 'admin'), [eventId])
  const { listPage, createArchive } = calls
  const { uploads, setVisibility } = useModeration({
    uploads: useUploads(eventId, { listPage, apiUrl: site().apiUrl }),
    calls,
  })
  // If it fails, the list of uploads shows what is wrong.
  const { data: event } = useQuery(eventQuery(eventId, { quiet: true }))
  const deletion = useDeletion(calls, uploads.remove)

  if (uploads.status === 'not-found') return <EventNotFound />
  const pendingCount = countPending(uploads.uploads)
  const total = uploads.status === 'success' ? albumSize(uploads.uploads) : undefined
  return (
    <>
      <BackToEvent eventId={eventId} />
      <Page
        title={t('admin.tab.eventUploads')}
        lead={<Lead name={event?.name} total={total} />}
        actions={
          pendingCount > 0 && (
            <Link to={`/admin/event-uploads/${eventId}/review`} className={buttonClass()}>
              <ClipboardCheck size={20} aria-hidden />
              {t('admin.uploads.review', { count: pendingCount })}
            </Link>
          )
        }
      >
        {event && 'settings' in event && <QuotaWarning event={event} total={albumTotal(uploads)} />}
        <ZipPanel
          eventId={eventId}
          listPage={listPage}
          defaultBatchSize={50}
          label={t('admin.uploads.downloadAll')}
          emptyMessage={t('admin.uploads.nothingToDownload')}
          doneNotice={{
            title: t('admin.uploads.downloaded.title'),
            message: t('admin.uploads.downloaded'),
          }}
        />
        <Album
          uploads={uploads}
          emptyHint={
            <EmptyHint
              eventId={eventId}
              uploadUrl={event && 'uploadUrl' in event ? event.uploadUrl : undefined}
            />
          }
          createArchive={createArchive}
          onDelete={deletion.choose}
          deletingIds={deletion.deletingIds}
          onVisibility={setVisibility}
          renameGuest={calls.renameGuest}
          hasCardButtons
        />
        <ConfirmDialog
          open={deletion.chosenCount > 0}
          title={t('admin.uploads.delete.title')}
          text={
            deletion.chosenCount > 1
              ? t('admin.uploads.delete.textOfMany', { count: deletion.chosenCount })
              : t('admin.uploads.delete.text')
          }
          confirmLabel={t('admin.uploads.delete')}
          onConfirm={deletion.confirm}
          onCancel={deletion.cancel}
        />
      </Page>
    </>
  )
}

const MissingEventId = () => {
  const t = useText()
  return (
    <Page title={t('admin.tab.eventUploads')}>
      <EmptyState title={t('admin.uploads.noEvent')}>
        <p>{t('admin.uploads.noEvent.hint')}</p>
        <Link to="/events" className={buttonClass()}>
          {t('admin.uploads.noEvent.events')}
        </Link>
      </EmptyState>
    </Page>
  )
}

export const EventUploads = () => {
  const { eventId } = useParams()
  return eventId ? <EventUploadsView key={eventId} eventId={eventId} /> : <MissingEventId />
}
