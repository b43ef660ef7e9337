import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import Pencil from 'lucide-react/icons/pencil'
import { requestWithTimeout } from '@confetti/album/request-with-timeout'
import { defaultTextLimits, isTooLong } from '@confetti/contracts'
import { api } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notify } from '@confetti/ui/notify'
import { getText, useText } from '../../texts.ts'
import { rememberGuestName } from '../upload/upload-history.ts'
import styles from './rename-form.module.css'

const { MAX_CREDIT_CHARACTERS } = defaultTextLimits

const renameOwnUploads = (eventId: string, photoCredit: string) =>
  requestWithTimeout(undefined, (signal) =>
    api().patch('/api/guest/uploads', { body: { eventId, photoCredit }, asGuest: true, quiet: true, signal }),
  )

interface Props {
  eventId: string
  /** The name that the newest upload has. */
  name: string
  /** What is being sent arrives under the name that it was sent with: the guest waits for it. */
  isSending: boolean
  onRenamed: (name: string) => void
}

/** The name under which the guest has sent photos, and a form that changes it for all of them. */
export const RenameForm = ({ eventId, name, isSending, onRenamed }: Props) => {
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  // Until the list says so.
  const [given, setGiven] = useState({ before: '', after: '' })
  const shown = given.before === name ? given.after : name
  const { form, isBusy, errors, show, send, clear } = useForm()
  const openButton = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    const field = form.current?.querySelector('input')
    if (isOpen) {
      field?.focus()
      field?.select()
    } else if (wasOpen.current) openButton.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen, form])

  const save = async (): Promise<void> => {
    const credit = typed.trim()
    if (!credit || isTooLong(credit, MAX_CREDIT_CHARACTERS)) {
      show(() => ({
        name: credit
          ? getText('upload.credit.tooLong', { max: MAX_CREDIT_CHARACTERS })
          : getText('upload.credit.missing'),
      }))
      return
    }
    await send(async () => {
      await renameOwnUploads(eventId, credit)
      rememberGuestName(credit)
      setGiven({ before: name, after: credit })
      setIsOpen(false)
      notify({ message: getText('own.renamed', { name: credit }) })
      onRenamed(credit)
    })
  }

  if (!isOpen)
    return (
      <p className={styles.name}>
        <bdi>{t('own.sentAs', { name: shown })}</bdi>
        <Button
          ref={openButton}
          variant="outline"
          size="small"
          icon={<Pencil size={16} aria-hidden />}
          disabled={isSending}
          onClick={() => {
            setTyped(shown)
            clear()
            setIsOpen(true)
          }}
        >
          {t('own.rename')}
        </Button>
      </p>
    )
  return (
    <form
      ref={form}
      noValidate
      className={styles.form}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={t('upload.credit.label')}
        error={errors.name}
        value={typed}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value)
          clear('name')
        }}
      />
      <div className={styles.actions}>
        <Button type="submit" disabled={isBusy}>
          {t('own.rename.save')}
        </Button>
        <Button variant="outline" onClick={() => setIsOpen(false)}>
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  )
}
