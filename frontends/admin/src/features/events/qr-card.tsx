import { qrCodeQuery } from '@confetti/album/event-calls'
import { QrActions } from '@confetti/album/qr-actions'
import type { Event } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { getFailureText } from '@confetti/ui/failure-text'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { useErrorNotice } from '@confetti/ui/notify'
import { Skeleton } from '@confetti/ui/skeleton'
import { useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useText } from '../../texts.ts'
import styles from './qr-card.module.css'

interface Props {
  event: Pick<Event, '_id' | 'name' | 'shortCode' | 'shortUrl'>
}

/** The QR code and the link of the event's upload page, to show, copy, share, download and print. */
export const QrCard = ({ event: { _id, name, shortCode, shortUrl } }: Props) => {
  const t = useText()
  const { data: qrCode, error, isPending, refetch } = useQuery(qrCodeQuery(_id))
  const { target, within } = useKeepFocus<HTMLHeadingElement>()
  const errorMessage = error ? getFailureText(error) : undefined
  useErrorNotice(errorMessage)
  return (
    <Card as="section" aria-labelledby="qr-code" className={styles.card} {...within}>
      <h2 id="qr-code" ref={target} tabIndex={-1}>
        {t('admin.events.qrCode')}
      </h2>
      {errorMessage !== undefined && (
        <>
          <p>{t('admin.events.qrCode.failed', { reason: errorMessage })}</p>
          <Button
            variant="secondary"
            icon={<RotateCw size={18} aria-hidden />}
            onClick={() => void refetch()}
          >
            {t('common.retry')}
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
            alt={t('admin.events.qrCode.alt', { name })}
            width={264}
            height={264}
          />
          <a className={styles.link} href={qrCode.uploadUrl} target="_blank" rel="noreferrer">
            <ExternalLink
              size={16}
              role="img"
              aria-label={t('admin.events.qrCode.newTab')}
              aria-hidden={false}
            />
            <bdi>{qrCode.uploadUrl}</bdi>
          </a>
          <QrActions
            name={name}
            link={qrCode.uploadUrl}
            image={qrCode.qrCodeDataUrl}
            shortCode={shortCode}
            shortLink={shortUrl}
          />
        </>
      )}
    </Card>
  )
}
