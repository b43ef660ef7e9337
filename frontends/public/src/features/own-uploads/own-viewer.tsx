import { LazyViewer } from '@confetti/album/lazy-viewer'
import type { GuestUpload } from '@confetti/contracts'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import { formatPosition, toMedium } from '../gallery/formats.ts'
import { SaveButton } from '../saving/lazy-saving.tsx'
import { deletedMedium } from './deleted-medium.tsx'
import { DeletionButton } from './deletion-button.tsx'
import { OwnUploadState } from './own-upload-state.tsx'
import type { Deletions } from './use-deletion.ts'

interface Props {
  uploads: readonly GuestUpload[]
  /** Whether these are all that the guest has sent. */
  isComplete: boolean
  /** As it was when it was opened. */
  opened: GuestUpload
  hasGallery: boolean
  deletions: Deletions
  onShow: (upload: GuestUpload) => void
  onIndex: (index: number) => void
  onClose: () => void
  onClosed: () => void
  onLinkFailed: () => void
}

/** An upload of the guest in the viewer, where it can be deleted. */
export const OwnViewer = ({
  uploads,
  isComplete,
  opened,
  hasGallery,
  deletions,
  onShow,
  ...events
}: Props) => {
  const t = useText()
  const find = (id: string): GuestUpload | undefined => uploads.find(({ _id }) => _id === id)
  const total = isComplete ? uploads.length : undefined
  return (
    <LazyViewer
      uploads={uploads}
      openId={opened._id}
      upload={find(opened._id)}
      toMedium={(upload) => {
        const { originalName: name } = upload
        return deletions.isUndoable(upload) ? deletedMedium(name) : toMedium(t, upload, name)
      }}
      findPreloadUrl={({ previewUrl }) => previewUrl}
      formatPosition={(position) => formatPosition(t, position, total)}
      missingText={t('own.undoTooLate', { name: opened.originalName })}
      actions={(upload) => (
        <>
          {!deletions.isUndoable(upload) && <SaveButton upload={upload} onLinkFailed={events.onLinkFailed} />}
          <DeletionButton upload={upload} deletions={deletions} />
        </>
      )}
      caption={(upload) => (
        <>
          <OwnUploadState upload={upload} hasGallery={hasGallery} isDeleted={deletions.isUndoable(upload)} />
          {/* What the page says is behind the viewer. */}
          <p role="status" className={hidden.visuallyHidden}>
            {deletions.announcement}
          </p>
        </>
      )}
      onShow={(id) => {
        const upload = find(id)
        if (upload) onShow(upload)
      }}
      {...events}
    />
  )
}
