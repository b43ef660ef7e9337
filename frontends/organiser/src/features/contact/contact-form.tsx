import { useState } from 'react'
import Send from 'lucide-react/icons/send'
import { defaultTextLimits, isTooLong } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { getFieldErrors } from '@confetti/ui/failure-text'
import { TextArea, TextField } from '@confetti/ui/field'
import { useFieldErrors } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText, useText } from '../../texts.ts'
import { sendMessage, sendErrorMessage } from './contact-api.ts'
import styles from './contact-form.module.css'
import { saveDraft, loadDraft, emptyDraft, type MessageDraft } from './draft-storage.ts'

const { MAX_SUBJECT_CHARACTERS, MAX_MESSAGE_CHARACTERS } = defaultTextLimits

const missingTexts = {
  subject: 'organiser.contact.subject.missing',
  message: 'organiser.contact.message.missing',
} as const

/** Sends a message to the admins. The draft is stored until it has been sent. */
export const ContactForm = ({ userId }: { userId: string }) => {
  const t = useText()
  const [draft, setDraft] = useState(() => loadDraft(userId))
  const { form, errors, show, clear } = useFieldErrors()
  const [isSending, setIsSending] = useState(false)

  const update = (next: MessageDraft): void => {
    setDraft(next)
    saveDraft(userId, next)
  }

  const change = (name: keyof MessageDraft, text: string): void => {
    update({ ...draft, [name]: text })
    clear(name)
  }

  const submit = async (): Promise<void> => {
    const missing = (['subject', 'message'] as const).filter((name) => !draft[name].trim())
    show(() => Object.fromEntries(missing.map((name) => [name, getText(missingTexts[name])])))
    if (missing.length > 0) {
      notifyError(getText('organiser.contact.missing.text'), getText('organiser.contact.missing.title'))
      return
    }
    setIsSending(true)
    try {
      const message = await sendMessage(draft)
      notify({ title: getText('organiser.contact.sent.title'), message })
      update(emptyDraft)
    } catch (error) {
      notifyError(sendErrorMessage(error))
      show(() => getFieldErrors(error))
    } finally {
      setIsSending(false)
    }
  }

  return (
    <Card className={styles.card}>
      <form
        ref={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSending) void submit()
        }}
      >
        <TextField
          label={t('organiser.contact.subject')}
          name="subject"
          value={draft.subject}
          readOnly={isSending}
          required
          error={
            errors.subject ??
            (isTooLong(draft.subject, MAX_SUBJECT_CHARACTERS)
              ? t('organiser.contact.subject.tooLong', { max: MAX_SUBJECT_CHARACTERS })
              : undefined)
          }
          onChange={({ target }) => change('subject', target.value)}
        />
        <TextArea
          label={t('organiser.contact.message')}
          name="message"
          rows={5}
          value={draft.message}
          readOnly={isSending}
          required
          error={
            errors.message ??
            (isTooLong(draft.message, MAX_MESSAGE_CHARACTERS)
              ? t('organiser.contact.message.tooLong', { max: MAX_MESSAGE_CHARACTERS })
              : undefined)
          }
          onChange={({ target }) => change('message', target.value)}
        />
        <Button
          type="submit"
          className={styles.send}
          aria-disabled={isSending}
          icon={<Send size={20} aria-hidden />}
        >
          {t(isSending ? 'organiser.contact.sending' : 'organiser.contact.send')}
        </Button>
      </form>
    </Card>
  )
}
