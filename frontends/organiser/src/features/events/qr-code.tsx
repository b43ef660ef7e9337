import { useRef } from 'react'
import { QRCodeSVG } from 'qrcode.react'
import Maximize2 from 'lucide-react/icons/maximize-2'
import X from 'lucide-react/icons/x'
import type { Event } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import { useText } from '../../texts.ts'
import styles from './qr-code.module.css'

const SIZE = 100

/** The event's upload link as a QR code, with a dialog that enlarges it to be scanned from a distance. */
export const QrCode = ({ event: { name, uploadUrl } }: { event: Event }) => {
  const t = useText()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = (): void => dialog.current?.close()
  return (
    <div className={styles.code}>
      <div className={styles.frame}>
        <QRCodeSVG value={uploadUrl} size={SIZE} level="L" title={t('organiser.qr.code', { name })} />
      </div>
      <Button
        variant="outline"
        size="small"
        icon={<Maximize2 size={16} aria-hidden />}
        aria-label={t('organiser.qr.enlargeOf', { name })}
        onClick={() => dialog.current?.showModal()}
      >
        {t('organiser.qr.enlarge')}
      </Button>
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events,
          jsx-a11y/no-noninteractive-element-interactions -- the browser closes a modal dialog on Escape */}
      <dialog
        ref={dialog}
        className={styles.large}
        aria-label={t('organiser.qr.dialog', { name })}
        onClick={({ target, currentTarget }) => {
          // A click on the backdrop.
          if (target === currentTarget) close()
        }}
      >
        <div className={styles.sheet}>
          <IconButton variant="ghost" label={t('common.close')} className={styles.close} onClick={close}>
            <X aria-hidden />
          </IconButton>
          <h2>
            <bdi>{name}</bdi>
          </h2>
          <p>{t('organiser.qr.scan')}</p>
          <QRCodeSVG value={uploadUrl} size={SIZE} level="L" aria-hidden className={styles.big} />
          <p dir="ltr" className={styles.link}>
            {uploadUrl}
          </p>
        </div>
      </dialog>
    </div>
  )
}
