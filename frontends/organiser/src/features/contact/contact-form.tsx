import { useState } from 'react'
import Send from 'lucide-react/icons/send'
import { ApiError } from '@confetti/api-client'
import { defaultTextLimits, findTooLong } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { TextArea, TextField } from '@confetti/ui/field'
import { useFieldErrors } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import { sendMessage, sendErrorMessage } from './contact-api.ts'
import styles from './contact-form.module.css'
import { saveDraft, loadDraft, emptyDraft, type MessageDraft } from './draft-storage.ts'

const requiredMessages = { subject: 'Enter a subject.', message: 'Enter a message.' }

/** Sends a message to the admins. The draft is stored until it has been sent. */
export const ContactForm = ({ userId }: { userId: string }) => {
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
    const missing = Object.entries(requiredMessages).filter(
      ([name]) => !draft[name as keyof MessageDraft].trim(),
    )
    show(Object.fromEntries(missing))
    if (missing.length > 0) {
      notifyError('Please fill in all fields.', 'Missing Fields')
      return
    }
    setIsSending(true)
    try {
      notify({ title: 'Message Sent', message: await sendMessage(draft) })
      update(emptyDraft)
    } catch (error) {
      notifyError(sendErrorMessage(error))
      if (error instanceof ApiError) show(error.fieldErrors)
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
          label="Subject"
          name="subject"
          value={draft.subject}
          readOnly={isSending}
          required
          error={
            errors.subject ?? findTooLong('subject', draft.subject, defaultTextLimits.MAX_SUBJECT_CHARACTERS)
          }
          onChange={({ target }) => change('subject', target.value)}
        />
        <TextArea
          label="Message"
          name="message"
          rows={5}
          value={draft.message}
          readOnly={isSending}
          required
          error={
            errors.message ?? findTooLong('message', draft.message, defaultTextLimits.MAX_MESSAGE_CHARACTERS)
          }
          onChange={({ target }) => change('message', target.value)}
        />
        <Button
          type="submit"
          className={styles.send}
          aria-disabled={isSending}
          icon={<Send size={20} aria-hidden />}
        >
          {isSending ? 'Sending...' : 'Send Message'}
        </Button>
      </form>
    </Card>
  )
}
