import { useRef, useState } from 'react'
import Send from 'lucide-react/icons/send'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { TextArea, TextField } from '@confetti/ui/field'
import { notify, notifyError } from '@confetti/ui/notify'
import { sendMessage, whyNotSent } from './contact-api.ts'
import styles from './contact-form.module.css'
import { keepDraft, keptDraft, noDraft, type Draft } from './draft.ts'

/** A message to the admins. What is written stays until it is sent. */
export const ContactForm = ({ userId }: { userId: string }) => {
  const form = useRef<HTMLFormElement>(null)
  const [draft, setDraft] = useState(() => keptDraft(userId))
  const [missing, setMissing] = useState<readonly (keyof Draft)[]>([])
  const [sending, setSending] = useState(false)

  const write = (next: Draft): void => {
    setDraft(next)
    keepDraft(userId, next)
  }

  const change = (name: keyof Draft, text: string): void => {
    write({ ...draft, [name]: text })
    setMissing(missing.filter((field) => field !== name))
  }

  const submit = async (): Promise<void> => {
    const blank = (['subject', 'message'] as const).filter((name) => !draft[name].trim())
    setMissing(blank)
    if (blank[0]) {
      notifyError('Please fill in all fields.', 'Missing Fields')
      form.current?.querySelector<HTMLElement>(`[name=${blank[0]}]`)?.focus()
      return
    }
    setSending(true)
    try {
      notify({ title: 'Message Sent', message: await sendMessage(draft) })
      write(noDraft)
    } catch (error) {
      notifyError(whyNotSent(error))
    } finally {
      setSending(false)
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
          if (!sending) void submit()
        }}
      >
        <TextField
          label="Subject"
          name="subject"
          value={draft.subject}
          readOnly={sending}
          required
          error={missing.includes('subject') ? 'Say in a few words what it is about.' : undefined}
          onChange={({ target }) => change('subject', target.value)}
        />
        <TextArea
          label="Message"
          name="message"
          rows={5}
          value={draft.message}
          readOnly={sending}
          required
          error={missing.includes('message') ? 'Write what the admins should know.' : undefined}
          onChange={({ target }) => change('message', target.value)}
        />
        <Button
          type="submit"
          className={styles.send}
          aria-disabled={sending}
          icon={<Send size={20} aria-hidden />}
        >
          {sending ? 'Sending...' : 'Send Message'}
        </Button>
      </form>
    </Card>
  )
}
