import { useQuery } from '@tanstack/react-query'
import { getErrorMessage } from '@confetti/api-client'
import { Button, ButtonLink } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { notify, notifyError, useErrorNotice } from '@confetti/ui/notify'
import { Skeleton } from '@confetti/ui/skeleton'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import ExternalLink from 'lucide-react/icons/external-link'
import Printer from 'lucide-react/icons/printer'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { qrCodeQuery } from './events-api.ts'
import { Poster } from './poster.tsx'
import styles from './qr-card.module.css'

const copyLink = async (link: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(link)
    notify({ message: 'Link copied' })
  } catch {
    notifyError('Your browser does not allow copying. Select the link and copy it.')
  }
}

/** The QR code and the link of the event's upload page, to show, copy, download and print. */
export const QrCard = ({ eventId, name }: { eventId: string; name: string }) => {
  const { data: qrCode, error, isPending, refetch } = useQuery(qrCodeQuery(eventId))
  const { target, within } = useKeepFocus<HTMLHeadingElement>()
  const errorMessage = error ? getErrorMessage(error) : undefined
  useErrorNotice(errorMessage)
  return (
    <Card as="section" aria-labelledby="qr-code" className={styles.card} {...within}>
      <h2 id="qr-code" ref={target} tabIndex={-1}>
        QR Code
      </h2>
      {errorMessage !== undefined && (
        <>
          <p>Couldn't create the QR code. {errorMessage}</p>
          <Button
            variant="secondary"
            icon={<RotateCw size={18} aria-hidden />}
            onClick={() => void refetch()}
          >
            Retry
          </Button>
        </>
      )}
      {isPending && (
        <div className={styles.skeleton} aria-busy="true">
          <Skeleton width="100%" height="auto" radius="14px" />
          <Skeleton width="80%" height="20px" />
        </div>
      )}
      {qrCode && (
        <>
          <img
            className={styles.code}
            src={qrCode.qrCodeDataUrl}
            alt={`QR code of the upload page of ${name}`}
            width={264}
            height={264}
          />
          <a className={styles.link} href={qrCode.uploadUrl} target="_blank" rel="noreferrer">
            <ExternalLink size={16} role="img" aria-label="(opens in a new tab)" aria-hidden={false} />
            {qrCode.uploadUrl}
          </a>
          <div className={styles.actions}>
            <Button
              variant="secondary"
              icon={<Copy aria-hidden />}
              onClick={() => void copyLink(qrCode.uploadUrl)}
            >
              Copy link
            </Button>
            <ButtonLink
              variant="secondary"
              icon={<Download aria-hidden />}
              href={qrCode.qrCodeDataUrl}
              download={`QR code ${name}.png`}
              aria-label="Download QR code"
            >
              Download
            </ButtonLink>
            <Button variant="secondary" icon={<Printer aria-hidden />} onClick={() => window.print()}>
              Print poster
            </Button>
          </div>
          <Poster name={name} qrCode={qrCode.qrCodeDataUrl} link={qrCode.uploadUrl} />
        </>
      )}
    </Card>
  )
}
