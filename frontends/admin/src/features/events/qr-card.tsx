import { Button, ButtonLink } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { getFailureText } from '@confetti/ui/failure-text'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { notify, notifyError, useErrorNotice } from '@confetti/ui/notify'
import { Skeleton } from '@confetti/ui/skeleton'
import { useQuery } from '@tanstack/react-query'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import ExternalLink from 'lucide-react/icons/external-link'
import Printer from 'lucide-react/icons/printer'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { getText, useText } from '../../texts.ts'
import { qrCodeQuery } from './events-api.ts'
import styles from './qr-card.module.css'

interface Props {
  name: string
  qrCode: string
  link: string
}

/** A one-page poster, printed instead of the page that contains it. */
const Poster = ({ name, qrCode, link }: Props) => {
  const t = useText()
  return (
    <div className={styles.poster} aria-hidden="true">
      <ConfettiDecoration className={styles.scraps} />
      <p className={styles.name}>
        <bdi>{name}</bdi>
      </p>
      <p className={styles.invitation}>{t('admin.events.poster.invitation')}</p>
      <img src={qrCode} alt="" className={styles.posterCode} />
      <p>{t('admin.events.poster.scan')}</p>
      <p className={styles.posterLink}>
        <bdi>{link}</bdi>
      </p>
    </div>
  )
}

const copyLink = async (link: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(link)
    notify({ message: getText('admin.events.qrCode.copied') })
  } catch {
    notifyError(getText('admin.events.qrCode.copyFailed'))
  }
}

/** The QR code and the link of the event's upload page, to show, copy, download and print. */
export const QrCard = ({ eventId, name }: { eventId: string; name: string }) => {
  const t = useText()
  const { data: qrCode, error, isPending, refetch } = useQuery(qrCodeQuery(eventId))
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
          <div className={styles.actions}>
            <Button
              variant="secondary"
              icon={<Copy aria-hidden />}
              onClick={() => void copyLink(qrCode.uploadUrl)}
            >
              {t('admin.events.qrCode.copy')}
            </Button>
            <ButtonLink
              variant="secondary"
              icon={<Download aria-hidden />}
              href={qrCode.qrCodeDataUrl}
              // The name is no value of the text: marks that isolate it would be in the file name.
              download={`${t('admin.events.qrCode.fileName')} ${name}.png`}
              aria-label={t('admin.events.qrCode.downloadLabel')}
            >
              {t('admin.events.qrCode.download')}
            </ButtonLink>
            <Button variant="secondary" icon={<Printer aria-hidden />} onClick={() => window.print()}>
              {t('admin.events.qrCode.print')}
            </Button>
          </div>
          <Poster name={name} qrCode={qrCode.qrCodeDataUrl} link={qrCode.uploadUrl} />
        </>
      )}
    </Card>
  )
}
