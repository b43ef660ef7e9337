import { useState } from 'react'
import Send from 'lucide-react/icons/send'
import { ApiError } from '@confetti/api-client'
import { defaultTextLimits, isTooLong } from '@confetti/contracts'
import { getLocale } from '@confetti/i18n'
import { api, useSession } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { readDraft, writeDraft } from '@confetti/ui/drafts'
import { getFailureText } from '@confetti/ui/failure-text'
import { TextArea, TextField } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import { Page } from '@confetti/ui/page'
import styles from './contact-admin.module.css'
import { getText, useText } from '../texts.ts'

/** A message that has not been sent yet. */
interface MessageDraft {
  subject: string
  message: string
}

const emptyDraft: MessageDraft = { subject: '', message: '' }

const keyOf = (userId: string): string => `contactDraft:${userId}`

/** The draft that this user has stored in this tab, or an empty one. */
const loadDraft = (userId: string): MessageDraft => {
  const { subject, message } = (readDraft(keyOf(userId)) ?? {}) as Partial<MessageDraft>
  return typeof subject === 'string' && typeof message === 'string' ? { subject, message } : emptyDraft
}

/** Stores a draft; removes an empty one. */
const saveDraft = (userId: string, draft: MessageDraft): void =>
  writeDraft(keyOf(userId), draft.subject || draft.message ? draft : undefined)

/** Sends a message to the admins. Resolves with the confirmation: in English the server's own. */
const sendMessage = async ({ subject, message }: MessageDraft): Promise<string> => {
  const confirmation = await api().post('/api/contact-admin', { body: { subject, message } })
  return getLocale() === 'en' ? confirmation.message : getText('organiser.contact.sent.text')
}

/** What to tell the user about a message that was not sent: the server's reason, or a general text if it sent none. */
const sendErrorMessage = (error: unknown): string =>
  error instanceof ApiError && !['network_error', 'unknown'].includes(error.code)
    ? getFailureText(error)
    : getText('organiser.contact.failed')

const { MAX_SUBJECT_CHARACTERS, MAX_MESSAGE_CHARACTERS } = defaultTextLimits

const missingTexts = {
  subject: 'organiser.contact.subject.missing',
  message: 'organiser.contact.message.missing',
} as const

/** Sends a message to the admins. The draft is stored until it has been sent. */
export const ContactForm = ({ userId }: { userId: string }) => {
  const t = useText()
  const [draft, setDraft] = useState(() => loadDraft(userId))
  const { form, isBusy: isSending, errors, show, clear, send } = useForm()

  const update = (next: MessageDraft): void => {
    setDraft(next)
    saveDraft(userId, next)
  }

  const change = (name: keyof MessageDraft, text: string): void => {
    update({ ...draft, [name]: text })
    clear(name)
  }

  const submit = (): void => {
    const missing = (['subject', 'message'] as const).filter((name) => !draft[name].trim())
    show(() => Object.fromEntries(missing.map((name) => [name, getText(missingTexts[name])])))
    if (missing.length > 0) {
      notifyError(getText('organiser.contact.missing.text'), getText('organiser.contact.missing.title'))
      return
    }
    const sendDraft = async (): Promise<void> => {
      const message = await sendMessage(draft)
      notify({ title: getText('organiser.contact.sent.title'), message })
      update(emptyDraft)
    }
    void send(sendDraft, { getText: sendErrorMessage })
  }

  return (
    <Card className={styles.card}>
      <form
        ref={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSending) submit()
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

export const ContactAdmin = () => {
  const t = useText()
  const user = useSession((session) => session.user)
  return (
    <Page title={t('organiser.contact.title')} lead={t('organiser.contact.lead')}>
      {user && <ContactForm key={user._id} userId={user._id} />}
    </Page>
  )
}
