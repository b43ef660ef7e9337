import Share from 'lucide-react/icons/share'
import type { Upload } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { notifyError } from '@confetti/ui/notify'
import { BusyIcon } from './download-control.tsx'
import { getText, useText } from './texts.ts'
import { nameInZip } from './upload.ts'
import { canShareFiles, MAX_SHARED_BYTES, MAX_SHARED_FILES, useSharing } from './use-sharing.ts'

interface Props {
  uploads: readonly Upload[]
  /** In the viewer: an icon only. */
  isIcon?: boolean
}

const ShareControl = ({ uploads, isIcon = false }: Props) => {
  const t = useText()
  const { isBusy, isReady, start } = useSharing((error) =>
    notifyError(getFailureText(error), getText('album.share.failed')),
  )
  const label = isReady ? t('album.share.ready') : t('album.share')
  const icon = isBusy ? <BusyIcon /> : <Share size={20} aria-hidden />
  const props = {
    'aria-disabled': isBusy,
    onClick: () =>
      start(
        uploads.map((upload) => ({ url: upload.url, name: nameInZip(upload), type: upload.contentType })),
      ),
  }
  // Another tap is needed: that must be seen.
  return isIcon && !isReady ? (
    <IconButton variant="ghost" label={label} {...props}>
      {icon}
    </IconButton>
  ) : (
    <Button variant="secondary" size="small" icon={icon} {...props}>
      {label}
    </Button>
  )
}

/** Shares the originals of uploads by the share sheet, on phones and tablets. Nothing where that is too much at once. */
export const ShareButton = (props: Props) => {
  const { uploads } = props
  const bytes = uploads.reduce((sum, { size }) => sum + size, 0)
  const isSmall = uploads.length > 0 && uploads.length <= MAX_SHARED_FILES && bytes <= MAX_SHARED_BYTES
  if (!isSmall || !canShareFiles()) return null
  // What was downloaded is of these.
  return <ShareControl key={uploads.map(({ _id }) => _id).join()} {...props} />
}
