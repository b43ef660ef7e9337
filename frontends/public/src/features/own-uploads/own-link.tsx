import { useEffect, useState } from 'react'
import Copy from 'lucide-react/icons/copy'
import Share2 from 'lucide-react/icons/share-2'
import { QRCodeSVG } from 'qrcode.react'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { api } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { copyText } from '@confetti/ui/copy-text'
import { getFailureText } from '@confetti/ui/failure-text'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Loading } from '@confetti/ui/loading'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText as getLinkText, useText as useLinkText } from '../../gallery-texts.ts'
import { useText } from '../../texts.ts'
import styles from './own-link.module.css'

const createLink = async (eventId: string, signal: AbortSignal): Promise<string> => {
  const { url } = await requestWithTimeout(signal, (timed) =>
    api().post('/api/guest/links', { body: { eventId }, asGuest: true, quiet: true, signal: timed }),
  )
  return url
}
const endLinks = (eventId: string) =>
  requestWithTimeout(undefined, (signal) =>
    api().delete('/api/guest/links', { query: { eventId }, asGuest: true, quiet: true, signal }),
  )

const copy = (url: string): Promise<void> =>
  copyText(url, getLinkText('own.link.copied'), () => notifyError(getLinkText('own.link.copyFailed')))

interface Props {
  eventId: string
  onClose: () => void
}

/** A new link by which the guest continues on another device, as QR code and text, and a button that ends all of them. */
export const OwnLink = ({ eventId, onClose }: Props) => {
  const t = useLinkText()
  const common = useText()
  const [url, setUrl] = useState<string>()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const [isEnding, setIsEnding] = useState(false)

  useEffect(() => {
    const stop = new AbortController()
    createLink(eventId, stop.signal).then(setUrl, (failure: unknown) => {
      if (!stop.signal.aborted) setError(failure)
    })
    return () => stop.abort()
  }, [eventId, attempt])

  const end = async (): Promise<void> => {
    setIsEnding(true)
    try {
      await endLinks(eventId)
      notify({ message: getLinkText('own.link.ended') })
      onClose()
    } catch (failure) {
      notifyError(getFailureText(failure))
      setIsEnding(false)
    }
  }

  if (error !== undefined)
    return (
      <LoadFailed
        title={common('common.error')}
        text={getFailureText(error)}
        onRetry={() => {
          setError(undefined)
          setAttempt(attempt + 1)
        }}
      />
    )
  if (url === undefined) return <Loading />
  return (
    <div className={styles.link}>
      <div className={styles.frame}>
        <QRCodeSVG value={url} size={160} level="L" title={t('own.link.qrCode')} />
      </div>
      <p>{t('own.link.text')}</p>
      <p dir="ltr" className={styles.url}>
        {url}
      </p>
      <div className={styles.actions}>
        <Button variant="secondary" icon={<Copy size={20} aria-hidden />} onClick={() => void copy(url)}>
          {t('own.link.copy')}
        </Button>
        {'share' in navigator && (
          <Button
            variant="secondary"
            icon={<Share2 size={20} aria-hidden />}
            // It also rejects when the user shares nothing.
            onClick={() => void navigator.share({ url }).catch(() => undefined)}
          >
            {t('own.link.share')}
          </Button>
        )}
        <Button variant="outline" aria-disabled={isEnding} onClick={() => void (isEnding || end())}>
          {t('own.link.end')}
        </Button>
        <Button variant="outline" onClick={onClose}>
          {common('common.close')}
        </Button>
      </div>
    </div>
  )
}
