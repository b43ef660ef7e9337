import { useEffect, useState, type SubmitEvent } from 'react'
import { ApiError } from '@confetti/api-client'
import { parseShortCode } from '@confetti/contracts'
import { useLocation, useNavigate } from '@confetti/federation/router'
import { api } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { getText, useText } from '../../owner-texts.ts'
import { getUploadPath } from '../upload/use-event.ts'
import styles from './code-form.module.css'

/** Where what a guest has typed or pasted leads to: the event that has a code, or one by its id. */
type Entry = ({ code: string } | { eventId: string }) & {
  /** The fragment of a pasted link, with its `#`. */
  hash: string
}

/** Reads a code, or the link to an event on this or another address of the site. Undefined if it is neither. */
export const readEntry = (typed: string): Entry | undefined => {
  const [address = '', fragment] = typed.trim().split('#')
  const hash = fragment ? `#${fragment}` : ''
  const eventId = /[?&]eventId=([\da-f]{24})(?:&|$)/i.exec(address)?.[1]
  if (eventId) return { eventId, hash }
  const code = parseShortCode(/\/e\/([^/?]+)/.exec(address)?.[1] ?? address)
  return code ? { code, hash } : undefined
}

const EXAMPLE = '7F3K-9QXM'

/** The code of a short link that leads to no event: its server sends the browser here. */
const useUnknownCode = (): string | undefined =>
  new URLSearchParams(useLocation().search).get('code') ?? undefined

/** One field for those who cannot scan the QR code: it takes the short code of an event, or a link to it. */
export const CodeForm = () => {
  const t = useText()
  const navigate = useNavigate()
  const unknownCode = useUnknownCode()
  const [typed, setTyped] = useState(unknownCode ?? '')
  const { form, isBusy, errors, show, send, clear } = useForm()

  const showUnknown = () => show(() => ({ code: getText('landing.code.unknown') }))
  useEffect(() => {
    if (unknownCode !== undefined) showUnknown()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `show` is a new function at each rendering
  }, [unknownCode])

  const open = async (): Promise<void> => {
    const entry = readEntry(typed)
    if (!entry) {
      show(() => ({
        code: typed.trim()
          ? getText('landing.code.malformed', { example: EXAMPLE })
          : getText('landing.code.missing'),
      }))
      return
    }
    await send(async () => {
      try {
        const eventId =
          'eventId' in entry
            ? entry.eventId
            : (await api().get('/api/codes/{code}', { params: { code: entry.code }, asGuest: true })).eventId
        await navigate(`${getUploadPath(eventId)}${entry.hash}`)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'code_not_found')) throw error
        showUnknown()
      }
    })
  }

  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        void open()
      }}
    >
      <TextField
        label={t('landing.code')}
        hint={t('landing.code.hint', { example: EXAMPLE })}
        error={errors.code}
        name="code"
        dir="ltr"
        value={typed}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        onChange={({ target }) => {
          setTyped(target.value)
          clear('code')
        }}
      />
      <Button type="submit" variant="secondary" disabled={isBusy}>
        {t('landing.code.open')}
      </Button>
    </form>
  )
}
