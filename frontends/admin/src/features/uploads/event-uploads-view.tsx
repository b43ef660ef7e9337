import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import { Album, albumSize, albumTotal, countPending } from '@confetti/album/album'
import { ArchiveDownload } from '@confetti/album/archive-download'
import { QuotaUsage } from '@confetti/album/settings/quota-usage'
import { useModeration } from '@confetti/album/moderation'
import { useUploads } from '@confetti/album/use-uploads'
import { ZipPanel } from '@confetti/album/zip-panel'
import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { site } from '@confetti/session'
import { Page } from '@confetti/ui/page'
import { EventNotFound } from '../../event-not-found.tsx'
import { useText } from '../../texts.ts'
import { BackToEvent } from '../events/back-to-event.tsx'
import styles from './event-uploads-view.module.css'
import { createArchiveOf, createModerationCalls, listUploadsOf, uploadsEventQuery } from './uploads-api.ts'
import { useDeletion } from './use-deletion.ts'

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
export const EventUploadsView = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const listPage = listUploadsOf(eventId)
  const createArchive = createArchiveOf(eventId)
  const calls = useMemo(() => createModerationCalls(eventId), [eventId])
  const { uploads, setVisibility } = useModeration({
    uploads: useUploads(eventId, { listPage, apiUrl: site().apiUrl }),
    calls,
  })
  // If it fails, the list of uploads shows what is wrong.
  const { data: event } = useQuery(uploadsEventQuery(eventId))
  const deletion = useDeletion(uploads.remove)

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
        {event && 'settings' in event && <QuotaUsage event={event} total={albumTotal(uploads)} />}
        <ArchiveDownload isPanel createArchive={createArchive} total={albumTotal(uploads)} />
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
          onDelete={deletion.select}
          deletingIds={deletion.deletingIds}
          onVisibility={setVisibility}
        />
        <ConfirmDialog
          open={deletion.selected !== undefined}
          title={t('admin.uploads.delete.title')}
          text={t('admin.uploads.delete.text')}
          confirmLabel={t('admin.uploads.delete')}
          onConfirm={deletion.confirm}
          onCancel={deletion.cancel}
        />
      </Page>
    </>
  )
}
