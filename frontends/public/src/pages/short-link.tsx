import { useEffect, useState } from 'react'
import { ApiError } from '@confetti/api-client'
import { useLocation, useNavigate, useParams } from '@confetti/federation/router'
import { api } from '@confetti/session'
import { getFailureText } from '@confetti/ui/failure-text'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Loading } from '@confetti/ui/loading'
import { GuestMain } from '../features/guest-page/guest-page.tsx'
import { getUploadPath } from '../features/upload/use-event.ts'
import { useText } from '../texts.ts'

/** Leads to the upload page of the event whose code is in the address, or to the landing page if there is none. */
export const ShortLink = () => {
  const t = useText()
  const { code = '' } = useParams()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [attempt, setAttempt] = useState(0)
  const [error, setError] = useState<unknown>()

  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const open = async (): Promise<void> => {
      try {
        const params = { code }
        const { eventId } = await api().get('/api/codes/{code}', {
          params,
          asGuest: true,
          quiet: true,
          signal,
        })
        await navigate(`${getUploadPath(eventId)}${hash}`, { replace: true })
      } catch (failure) {
        if (signal.aborted) return
        if (failure instanceof ApiError && failure.code === 'code_not_found')
          await navigate(`/?code=${encodeURIComponent(code)}`, { replace: true })
        else setError(failure)
      }
    }
    void open()
    return () => stop.abort()
  }, [code, hash, navigate, attempt])

  return (
    <GuestMain>
      {error === undefined ? (
        <Loading />
      ) : (
        <LoadFailed
          title={t('event.loadFailed.title')}
          text={getFailureText(error)}
          onRetry={() => {
            setError(undefined)
            setAttempt(attempt + 1)
          }}
        />
      )}
    </GuestMain>
  )
}
