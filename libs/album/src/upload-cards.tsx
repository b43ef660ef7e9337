import { memo, type KeyboardEvent } from 'react'
import Check from 'lucide-react/icons/check'
import Download from 'lucide-react/icons/download'
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Maximize2 from 'lucide-react/icons/maximize-2'
import Play from 'lucide-react/icons/play'
import Trash2 from 'lucide-react/icons/trash-2'
import type { Upload } from '@confetti/contracts'
import { IconButton } from '@confetti/ui/button'
import { Menu, type MenuItem } from '@confetti/ui/menu'
import { BusyIcon, DownloadButton, useFileDownload } from './download-control.tsx'
import { getVisibilityActions, type ChangeVisibility, type VisibilityAction } from './grid-view.ts'
import { Player } from './medium.tsx'
import { useText, type TextId } from './texts.ts'
import styles from './upload-cards.module.css'
import { backdropOf, Thumbnail, toVideo, UploadCaption, UploadName } from './upload-medium.tsx'
import { isVideo } from './upload.ts'

interface UploadCardProps {
  upload: Upload
  /** Whether the card is one of two columns on a phone. */
  isNarrow: boolean
  /** Whether the upload arrived while the page was open. */
  hasArrived: boolean
  isDeleting: boolean
  onOpen: (upload: Upload) => void
  refresh: () => Promise<readonly Upload[]>
  onLinkFailed: () => void
  onDelete: ((upload: Upload) => void) | undefined
  /** Adds actions that show and hide the upload. */
  onVisibility: ChangeVisibility | undefined
  /** Whether downloading and deleting have buttons, instead of being in the menu. */
  hasButtons: boolean
}

const visibilityActions: Readonly<Record<VisibilityAction['kind'], { Icon: typeof Eye; labelId: TextId }>> = {
  approve: { Icon: Check, labelId: 'album.review.approve' },
  show: { Icon: Eye, labelId: 'album.file.showToGuests' },
  hide: { Icon: EyeOff, labelId: 'album.file.hideFromGuests' },
}

type MenuProps = Pick<UploadCardProps, 'upload' | 'refresh' | 'onDelete' | 'onVisibility' | 'hasButtons'>

/** What can be done with an upload, but for what its card has buttons for. */
const CardMenu = ({ upload, refresh, onDelete, onVisibility, hasButtons }: MenuProps) => {
  const t = useText()
  const download = useFileDownload({ upload, refresh })
  const items: MenuItem[] = []
  if (onVisibility)
    for (const { kind, visibility } of getVisibilityActions(upload)) {
      const { Icon, labelId } = visibilityActions[kind]
      items.push({
        label: t(labelId),
        icon: <Icon size={20} aria-hidden />,
        onSelect: () => onVisibility([upload], visibility),
      })
    }
  if (!hasButtons) {
    items.push({
      label: t('album.download'),
      icon: <Download size={20} aria-hidden />,
      onSelect: download.start,
    })
    if (onDelete)
      items.push({
        label: t('album.review.delete'),
        icon: <Trash2 size={20} aria-hidden />,
        isDestructive: true,
        onSelect: () => onDelete(upload),
      })
  }
  if (items.length === 0) return null
  const label = t('album.file.menu', { name: upload.originalName })
  return (
    <Menu label={label} items={items} align="end">
      <IconButton variant="ghost" label={label} aria-busy={download.isBusy}>
        {download.isBusy ? <BusyIcon /> : <EllipsisVertical size={20} aria-hidden />}
      </IconButton>
    </Menu>
  )
}

const PlainUploadCard = ({
  upload,
  isNarrow,
  hasArrived,
  isDeleting,
  onOpen,
  refresh,
  onLinkFailed,
  onDelete,
  onVisibility,
  hasButtons,
}: UploadCardProps) => {
  const t = useText()
  const { originalName } = upload
  const isVideoUpload = isVideo(upload)
  const isNameVisible = !isNarrow || (!isVideoUpload && !hasButtons)
  const classes = [
    styles.card,
    hasArrived && styles.arrived,
    isDeleting && styles.deleting,
    isNarrow && styles.narrow,
    upload.visibility === 'hidden' && styles.hidden,
  ]
  return (
    <figure className={classes.filter(Boolean).join(' ')} aria-busy={isDeleting}>
      <div className={`${styles.media} ${isVideoUpload ? styles.top : ''}`} style={backdropOf(upload)}>
        {isVideoUpload ? (
          <Player video={toVideo(t, upload)} onLinkFailed={onLinkFailed} />
        ) : (
          <button
            type="button"
            data-main
            className={styles.open}
            aria-label={t('album.file.view', { name: originalName })}
            onClick={() => onOpen(upload)}
          >
            <Thumbnail upload={upload} onLinkFailed={onLinkFailed} />
          </button>
        )}
        <figcaption className={styles.caption}>
          <UploadCaption upload={upload} />
        </figcaption>
      </div>
      <div className={styles.actions}>
        {isNameVisible && (
          <div className={styles.name}>
            <UploadName upload={upload} />
          </div>
        )}
        {isVideoUpload && (
          <IconButton
            variant="ghost"
            data-main
            label={t('album.file.view', { name: originalName })}
            onClick={() => onOpen(upload)}
          >
            <Maximize2 size={18} aria-hidden />
          </IconButton>
        )}
        {hasButtons && (
          <>
            <DownloadButton upload={upload} refresh={refresh} />
            {onDelete && (
              <IconButton
                label={t('album.file.delete', { name: originalName })}
                aria-disabled={isDeleting}
                onClick={() => {
                  if (!isDeleting) onDelete(upload)
                }}
              >
                <Trash2 size={20} aria-hidden />
              </IconButton>
            )}
          </>
        )}
        <CardMenu {...{ upload, hasButtons, refresh, onDelete, onVisibility }} />
      </div>
    </figure>
  )
}

/** One upload in the grid. Memoized: a photo grid of thousands renders only the cards that changed. */
export const UploadCard = memo(PlainUploadCard)

interface SelectableCardProps {
  upload: Upload
  isNarrow: boolean
  isSelected: boolean
  /** Whether Tab reaches this card; arrow keys reach the others. */
  isTabStop: boolean
  /** Called on a click, Space and Enter; `extendsRange` is set while Shift is down. */
  onSelect: (upload: Upload, extendsRange: boolean) => void
  onLinkFailed: () => void
}

const PlainSelectableCard = ({
  upload,
  isNarrow,
  isSelected,
  isTabStop,
  onSelect,
  onLinkFailed,
}: SelectableCardProps) => {
  const t = useText()
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    if (!event.repeat) onSelect(upload, event.shiftKey)
  }

  const classes = [styles.card, isNarrow && styles.narrow, styles.selectable, isSelected && styles.selected]
  return (
    // Not a button: browsers differ in whether its click event has `shiftKey`, and Safari does not focus it.
    <div
      role="checkbox"
      aria-checked={isSelected}
      aria-label={t('album.file.from', { name: upload.originalName, guest: upload.photoCredit })}
      tabIndex={isTabStop ? 0 : -1}
      data-main
      className={classes.filter(Boolean).join(' ')}
      onClick={({ shiftKey }) => onSelect(upload, shiftKey)}
      onKeyDown={handleKeyDown}
    >
      <div className={styles.media} style={backdropOf(upload)}>
        <div className={styles.picture}>
          <Thumbnail upload={upload} onLinkFailed={onLinkFailed} />
        </div>
        {isVideo(upload) && <Play size={40} fill="currentColor" aria-hidden className={styles.play} />}
        <span className={styles.mark}>{isSelected && <Check size={20} strokeWidth={3} aria-hidden />}</span>
        <div className={styles.caption}>
          <UploadCaption upload={upload} />
        </div>
      </div>
      <div className={styles.actions}>
        <div className={styles.name}>
          <UploadName upload={upload} />
        </div>
      </div>
    </div>
  )
}

/** One upload in the grid in selection mode: a checkbox. */
export const SelectableCard = memo(PlainSelectableCard)
