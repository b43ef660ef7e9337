import { useEffect, useLayoutEffect, useState } from 'react'
import LinkOff from 'lucide-react/icons/unlink'
import { ApiError } from '@confetti/api-client'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { Link, useLocation } from '@confetti/federation/router'
import { api } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Loading } from '@confetti/ui/loading'
import { GuestMain, GuestPage, HomeLink } from '../features/guest-page/guest-page.tsx'
import { asOwner, setOwnKey } from '../features/own-uploads/as-owner.ts'
import { OwnUploads } from '../features/own-uploads/own-uploads.tsx'
import { PinGate } from '../features/pin/pin-gate.tsx'
import { EventNotFound } from '../features/upload/upload-unavailable.tsx'
import { getGalleryPath, getUploadPath, isGalleryOpen, useEvent } from '../features/upload/use-event.ts'
import { useText as useLinkText } from '../gallery-texts.ts'
import { useText } from '../texts.ts'
import styles from './mine.module.css'

const findEventOfLink = async (signal: AbortSignal): Promise<string> => {
  const { eventId } = await requestWithTimeout(signal, (timed) =>
    api().get('/api/guest/links', { ...asOwner(), signal: timed }),
  )
  return eventId
}

interface State {
  eventId?: string
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

const LoadError = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => {
  const t = useText()
  return (
    <GuestMain>
      <LoadFailed
        as="h1"
        title={t('event.loadFailed.title')}
        text={getFailureText(error)}
        onRetry={onRetry}
      />
    </GuestMain>
  )
}

const LoadingPage = () => (
  <GuestMain>
    <Loading />
  </GuestMain>
)

const MineOf = ({ eventId }: { eventId: string }) => {
  const t = useText()
  const { state, retry } = useEvent(eventId)
  switch (state.status) {
    case 'pending':
      return <LoadingPage />
    case 'not-found':
      return <EventNotFound eventId={eventId} />
    case 'error':
      return <LoadError error={state.error} onRetry={retry} />
    case 'success':
      return (
        <GuestMain className={styles.page}>
          <h1 className={styles.name}>
            <bdi>{state.event.name}</bdi>
          </h1>
          <OwnUploads eventId={eventId} hasGallery={isGalleryOpen(state.event)} sentCount={0} isByLink />
          <div className={styles.actions}>
            <Link className={buttonClass({ variant: 'secondary' })} to={getUploadPath(eventId)}>
              {t('gallery.sendPhotos')}
            </Link>
            {isGalleryOpen(state.event) && (
              <Link className={buttonClass({ variant: 'outline' })} to={getGalleryPath(eventId)}>
                {t('event.gallery')}
              </Link>
            )}
          </div>
        </GuestMain>
      )
  }
}

/** What a guest has sent to an event, opened on another device by a link whose fragment is the key. */
const MineBy = ({ ownKey }: { ownKey: string }) => {
  const [{ eventId, error }, setState] = useState<State>({})
  const [attempt, setAttempt] = useState(0)

  // Before anything asks for what the guest has sent.
  useLayoutEffect(() => {
    setOwnKey(ownKey)
    return () => setOwnKey(undefined)
  }, [ownKey])
  useEffect(() => {
    const stop = new AbortController()
    findEventOfLink(stop.signal).then(
      (found) => setState({ eventId: found }),
      (failure: unknown) => {
        if (!stop.signal.aborted) setState({ error: failure })
      },
    )
    return () => stop.abort()
  }, [ownKey, attempt])

  if (eventId !== undefined)
    return (
      <PinGate eventId={eventId}>
        <MineOf eventId={eventId} />
      </PinGate>
    )
  if (error === undefined) return <LoadingPage />
  if (error instanceof ApiError && error.code === 'own_link_ended') return <Ended error={error} />
  return (
    <LoadError
      error={error}
      onRetry={() => {
        setState({})
        setAttempt(attempt + 1)
      }}
    />
  )
}

export const Mine = () => {
  const key = useLocation().hash.slice(1)
  return <MineBy key={key} ownKey={key} />
}
