import { useEffect, useLayoutEffect, useState, type SubmitEvent } from 'react'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { ApiError, eventPasses } from '@confetti/api-client'
import { useLocation } from '@confetti/federation/router'
import { createTexts, getFormatLocale, loadCatalogues, suggestLocale, type Catalogue } from '@confetti/i18n'
import { api } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { getFailureText } from '@confetti/ui/failure-text'
import { TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { LoadFailed } from '@confetti/ui/load-failed'
import { Loading } from '@confetti/ui/loading'
import type english from '../../../locales/pin/en.json'
import { useText as useGuestText } from '../../texts.ts'
import { GuestMain } from '../guest-page/guest-page.tsx'
import { getSendQueues } from '../upload/page-queues.ts'
import { findLinkKey } from './link-key.ts'
import styles from './pin-form.module.css'

/** The texts are in the chunk of the form, in all languages: the remote's entry, which all guests download, names each file. */
const catalogue: Catalogue = (locale) =>
  import(/* webpackMode: 'eager' */ `../../../locales/pin/${locale}.json`, {
    with: { type: 'json' },
  }) as ReturnType<Catalogue>
const { useText, getText } = createTexts<keyof typeof english>()

/** Of so many events the latest ones are kept, until they expire. */
const MAX_PASSES = 20

/** Exchanges the PIN of an event, or the key of its links, for a pass. */
const getPass = async (
  eventId: string,
  body: { pin: string } | { key: string },
  signal?: AbortSignal,
): Promise<void> => {
  const params = { eventId }
  const pass = await requestWithTimeout(signal, (timed) =>
    api().post('/api/events/{eventId}/passes', { params, body, asGuest: true, quiet: true, signal: timed }),
  )
  const others = eventPasses
    .list()
    .filter((each) => each.eventId !== eventId && Date.parse(each.expiresAt) > Date.now())
  eventPasses.store([...others.slice(1 - MAX_PASSES), { eventId, ...pass }])
  eventPasses.clearRefusal(eventId)
}

/** A function, so that the text follows the language of the page. */
const describe = (error: unknown): (() => string) => {
  if (!(error instanceof ApiError) || error.status !== 429 || error.retryAfterMs === undefined)
    return () => getFailureText(error)
  const MINUTE_MS = 60_000
  const endsAt = Math.ceil((Date.now() + error.retryAfterMs) / MINUTE_MS) * MINUTE_MS
  return () =>
    getText('pin.tooMany', {
      time: new Date(endsAt).toLocaleTimeString(getFormatLocale(), { hour: 'numeric', minute: '2-digit' }),
    })
}

interface Props {
  eventId: string
  /** What the server says of the event. */
  event: ApiError['event']
}

const TypedPin = ({ eventId, event }: Props) => {
  const t = useText()
  const [pin, setPin] = useState('')
  const { form, isBusy, errors, show, send, clear } = useForm()
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [form])

  const submit = async (): Promise<void> => {
    if (!pin.trim()) {
      show(() => ({ pin: getText('pin.missing') }))
      return
    }
    await send(async () => {
      try {
        await getPass(eventId, { pin: pin.trim() })
      } catch (error) {
        const getMessage = describe(error)
        // The event has no PIN any more, or is gone: the page shows which.
        if (error instanceof ApiError && error.code === 'event_not_found') eventPasses.clearRefusal(eventId)
        else show(() => ({ pin: getMessage() }))
      }
    })
  }

  return (
    <div className={styles.page}>
      <h1 className={styles.name}>
        <bdi>{event?.name ?? t('pin.label')}</bdi>
      </h1>
      <p className={styles.text}>{t('pin.text')}</p>
      {getSendQueues().get(eventId)?.isSending() && <p className={styles.text}>{t('pin.waiting')}</p>}
      <form
        ref={form}
        noValidate
        className={styles.form}
        onSubmit={(submitEvent: SubmitEvent<HTMLFormElement>) => {
          submitEvent.preventDefault()
          void submit()
        }}
      >
        <TextField
          label={t('pin.label')}
          error={errors.pin}
          name="pin"
          dir="ltr"
          value={pin}
          inputMode="text"
          autoCapitalize="none"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          required
          onChange={({ target }) => {
            setPin(target.value)
            clear('pin')
          }}
        />
        <Button type="submit" size="large" wide aria-disabled={isBusy}>
          {t('pin.open')}
        </Button>
      </form>
    </div>
  )
}

/** The key that was exchanged last. If its pass is refused, the guest types the PIN. */
let exchangedKey: string | undefined

/** Asks for the PIN of an event, unless the key in the address stands for it. */
const PinOrKey = ({ eventId, event }: Props) => {
  const t = useGuestText()
  const found = findLinkKey(useLocation().hash)
  const key = found === exchangedKey ? undefined : found
  const [attempt, setAttempt] = useState(0)
  const [failure, setFailure] = useState<{ key: string; error: unknown }>()

  const language = event?.language
  useEffect(() => {
    // Without its texts, the page stays as it is.
    if (language) suggestLocale(language).catch(() => undefined)
  }, [language])
  useEffect(() => {
    if (key === undefined) return
    const stop = new AbortController()
    getPass(eventId, { key }, stop.signal).then(
      () => {
        exchangedKey = key
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        // As below.
        if (error instanceof ApiError && error.code === 'event_not_found') eventPasses.clearRefusal(eventId)
        else setFailure({ key, error })
      },
    )
    return () => stop.abort()
  }, [eventId, key, attempt])

  if (key !== undefined && failure?.key !== key) return <Loading />
  // The key may be right.
  if (key !== undefined && failure?.error instanceof ApiError && failure.error.isRetryable)
    return (
      <LoadFailed
        as="h1"
        title={t('event.loadFailed.title')}
        text={getFailureText(failure.error)}
        onRetry={() => {
          setFailure(undefined)
          setAttempt(attempt + 1)
        }}
      />
    )
  return <TypedPin eventId={eventId} event={event} />
}

const PinForm = (props: Props) => (
  <GuestMain>
    <PinOrKey {...props} />
  </GuestMain>
)

/** The form, once its texts have loaded. */
export const loadPinForm = async () => {
  await loadCatalogues([catalogue])
  return { default: PinForm }
}
