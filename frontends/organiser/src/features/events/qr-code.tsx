import { useRef } from 'react'
import { QRCodeSVG } from 'qrcode.react'
import Maximize2 from 'lucide-react/icons/maximize-2'
import X from 'lucide-react/icons/x'
import type { Event } from '@confetti/contracts'
import { Button, IconButton } from '@confetti/ui/button'
import styles from './qr-code.module.css'

const SIZE = 100

/** The event's upload link as a QR code, and the same so large that a table can scan it. */
export const QrCode = ({ event: { name, uploadUrl } }: { event: Event }) => {
  const large = useRef<HTMLDialogElement>(null)
  const close = (): void => large.current?.close()
  return (
    <div className={styles.code}>
      <div className={styles.paper}>
        <QRCodeSVG value={uploadUrl} size={SIZE} level="L" title={`QR code of the upload link of ${name}`} />
      </div>
      <Button
        look="line"
        size="small"
        icon={<Maximize2 size={16} aria-hidden />}
        aria-label={`Enlarge the QR code of ${name}`}
        onClick={() => large.current?.showModal()}
      >
        Enlarge
      </Button>
      <dialog
        ref={large}
        className={styles.large}
        aria-label={`QR code of ${name}`}
        onClick={({ target, currentTarget }) => {
          // On the shade around it.
          if (target === currentTarget) close()
        }}
      >
        <div className={styles.sheet}>
          <IconButton look="bare" label="Close" className={styles.close} onClick={close}>
            <X aria-hidden />
          </IconButton>
          <h2>{name}</h2>
          <p>Scan to send photos and videos.</p>
          <QRCodeSVG value={uploadUrl} size={SIZE} level="L" aria-hidden className={styles.big} />
          <p className={styles.link}>{uploadUrl}</p>
        </div>
      </dialog>
    </div>
  )
}
