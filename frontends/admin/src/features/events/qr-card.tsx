import { useCallback } from 'react'
import { messageOf } from '@confetti/api-client'
import { Button, ButtonLink } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { notify, notifyError } from '@confetti/ui/notify'
import { Skeleton } from '@confetti/ui/skeleton'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import ExternalLink from 'lucide-react/icons/external-link'
import Printer from 'lucide-react/icons/printer'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { fetchQrCode } from './events-api.ts'
import { Poster } from './poster.tsx'
import styles from './qr-card.module.css'
import { useAnswer } from '../../use-answer.ts'

const say = (error: unknown): void => notifyError(messageOf(error))

const copy = async (link: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(link)
    notify({ message: 'Link copied' })
  } catch {
    notifyError('The browser does not allow copying. Please mark the link and copy it by hand.')
  }
}

/** What guests need to find the event's upload page: its QR code and its link, to show, send, save and print. */
export const QrCard = ({ eventId, name }: { eventId: string; name: string }) => {
  const ask = useCallback((signal: AbortSignal) => fetchQrCode(eventId, signal), [eventId])
  const { retry, ...code } = useAnswer(ask, say)
  return (
    <Card as="section" aria-labelledby="qr-code" className={styles.card}>
      <h2 id="qr-code">QR Code</h2>
      {code.status === 'failed' && (
        <>
          <p>The QR code could not be made. {messageOf(code.error)}</p>
          <Button look="quiet" icon={<RotateCw size={18} aria-hidden />} onClick={retry}>
            Retry
          </Button>
        </>
      )}
      {code.status === 'waiting' && (
        <div className={styles.waiting} aria-busy="true">
          <Skeleton width="100%" height="auto" radius="14px" />
          <Skeleton width="80%" height="20px" />
        </div>
      )}
      {code.status === 'there' && (
        <>
          <img
            className={styles.code}
            src={code.value.qrCodeDataUrl}
            alt={`QR code of the upload page of ${name}`}
            width={264}
            height={264}
          />
          <a className={styles.link} href={code.value.uploadUrl} target="_blank" rel="noreferrer">
            <ExternalLink size={16} role="img" aria-label="(opens in a new tab)" aria-hidden={false} />
            {code.value.uploadUrl}
          </a>
          <div className={styles.actions}>
            <Button look="quiet" icon={<Copy aria-hidden />} onClick={() => void copy(code.value.uploadUrl)}>
              Copy link
            </Button>
            <ButtonLink
              look="quiet"
              icon={<Download aria-hidden />}
              href={code.value.qrCodeDataUrl}
              download={`QR code ${name}.png`}
              aria-label="Download QR code"
            >
              Download
            </ButtonLink>
            <Button look="quiet" icon={<Printer aria-hidden />} onClick={() => window.print()}>
              Print poster
            </Button>
          </div>
          <Poster name={name} qrCode={code.value.qrCodeDataUrl} link={code.value.uploadUrl} />
        </>
      )}
    </Card>
  )
}
