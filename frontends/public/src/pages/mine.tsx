import { useEffect, useLayoutEffect, useState } from 'react'
import LinkOff from 'lucide-react/icons/unlink'
import { ApiError } from '@confetti/api-client'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import type { GuestEvent } from '@confetti/contracts'
import { Link, useLocation } from '@confetti/federation/router'
import { useLocale } from '@confetti/i18n'
import { api } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Loading } from '@confetti/ui/loading'
import { GuestMain, GuestPage, HomeLink } from '../features/guest-page/guest-page.tsx'
import { asOwner, setOwnKey } from '../features/own-uploads/as-owner.ts'
import { OwnUploads } from '../features/own-uploads/own-uploads.tsx'
import {
  fetchEvent,
  getGalleryPath,
  getUploadPath,
  isGalleryOpen,
  translateEvent,
} from '../features/upload/use-event.ts'
import { useText as useLinkText } from '../gallery-texts.ts'
import { useText } from '../texts.ts'
import styles from './mine.module.css'

const fetchEventOfLink = (signal: AbortSignal): Promise<GuestEvent> =>
  requestWithTimeout(signal, async (timed) => {
    const { eventId } = await api().get('/api/guest/links', { ...asOwner(), signal: timed })
    return fetchEvent(eventId, timed)
  })

interface State {
  event?: GuestEvent
  error?: unknown
}

const Ended = ({ error }: { error: ApiError }) => {
  const t = useLinkText()
  return (
    <GuestPage
      icon={<LinkOff size={44} aria-hidden />}
      title={getFailureText(error)}
      actions={<HomeLink variant="primary" />}
    >
      <p>{t('own.link.endedHint')}</p>
    </GuestPage>
  )
}

/** What a guest has sent to an event, opened on another device by a link whose fragment is the key. */
const MineBy = ({ ownKey }: { ownKey: string }) => {
  const t = useText()
  const locale = useLocale()
  const [{ event, error }, setState] = useState<State>({})
  const [attempt, setAttempt] = useState(0)

  // Before anything asks for what the guest has sent.
  useLayoutEffect(() => {
    setOwnKey(ownKey)
    return () => setOwnKey(undefined)
  }, [ownKey])
  useEffect(() => {
    const stop = new AbortController()
    fetchEventOfLink(stop.signal).then(
      (found) => setState({ event: found }),
      (failure: unknown) => {
        if (!stop.signal.aborted) setState({ error: failure })
      },
    )
    return () => stop.abort()
  }, [ownKey, attempt])

  if (error instanceof ApiError && error.code === 'own_link_ended') return <Ended error={error} />
  if (!event)
    return (
      <GuestMain>
        {error === undefined ? (
          <Loading />
        ) : (
          <LoadFailed
            as="h1"
            title={t('event.loadFailed.title')}
            text={getFailureText(error)}
            onRetry={() => {
              setState({})
              setAttempt(attempt + 1)
            }}
          />
        )}
      </GuestMain>
    )
  return (
    <GuestMain className={styles.page}>
      <h1 className={styles.name}>
        <bdi>{translateEvent(event, locale).name}</bdi>
      </h1>
      <OwnUploads eventId={event._id} hasGallery={isGalleryOpen(event)} sentCount={0} isByLink />
      <div className={styles.actions}>
        <Link className={buttonClass({ variant: 'secondary' })} to={getUploadPath(event._id)}>
          {t('gallery.sendPhotos')}
        </Link>
        {isGalleryOpen(event) && (
          <Link className={buttonClass({ variant: 'outline' })} to={getGalleryPath(event._id)}>
            {t('event.gallery')}
          </Link>
        )}
      </div>
    </GuestMain>
  )
}

export const Mine = () => {
  const key = useLocation().hash.slice(1)
  return <MineBy key={key} ownKey={key} />
}
