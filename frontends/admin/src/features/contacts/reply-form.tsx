import { useMailSetting } from '@confetti/album/event-calls'
import { useEffect, useRef, useState } from 'react'
import Send from 'lucide-react/icons/send'
import { useQueryClient } from '@tanstack/react-query'
import { defaultTextLimits, isTooLong, type Contact } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { TextArea } from '@confetti/ui/field'
import { useForm } from '@confetti/ui/field-errors'
import { notify } from '@confetti/ui/notify'
import { getText, useText, type TextId } from '../../texts.ts'
import { replyErrorMessage, sendReply } from './contacts-api.ts'
import styles from './reply-form.module.css'

const { MAX_MESSAGE_CHARACTERS } = defaultTextLimits

/** How a reply reaches the sender of the message. */
const deliveries = {
  on: 'admin.contacts.reply.byMail',
  off: 'admin.contacts.reply.mailOff',
} as const satisfies Record<string, TextId>

/** Answers a message. `onClose` is called when the reply has been sent or is cancelled. */
export const ReplyForm = ({ contact, onClose }: { contact: Contact; onClose: () => void }) => {
  const t = useText()
  const queryClient = useQueryClient()
  const mail = useMailSetting()
  const delivery = mail && t(deliveries[mail], { email: contact.userEmail })
  const [message, setMessage] = useState('')
  const { form, isBusy: isSending, errors, show, clear, send } = useForm()
  const container = useRef<HTMLDivElement>(null)

  useEffect(() => container.current?.querySelector('textarea')?.focus(), [])

  const submit = (): void => {
    if (!message.trim()) {
      show(() => ({ message: getText('admin.contacts.reply.missing') }))
      return
    }
    clear()
    const reply = async (): Promise<void> => {
      await sendReply(queryClient, contact._id, message)
      notify({ title: getText('admin.contacts.reply.saved'), message: delivery })
      onClose()
    }
    void send(reply, { getText: replyErrorMessage })
  }

  return (
    <div ref={container}>
      <form
        ref={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextArea
          label={t('admin.contacts.reply')}
          name="message"
          rows={4}
          value={message}
          readOnly={isSending}
          required
          hint={delivery}
          error={
            errors.message ??
            (isTooLong(message, MAX_MESSAGE_CHARACTERS)
              ? t('admin.contacts.reply.tooLong', { max: MAX_MESSAGE_CHARACTERS })
              : undefined)
          }
          onChange={({ target }) => {
            setMessage(target.value)
            clear('message')
          }}
        />
        <div className={styles.buttons}>
          <Button type="submit" aria-disabled={isSending} icon={<Send size={20} aria-hidden />}>
            {t(isSending ? 'admin.contacts.reply.sending' : 'admin.contacts.reply.send')}
          </Button>
          <Button type="button" variant="secondary" aria-disabled={isSending} onClick={onClose}>
            {t('common.cancel')}
          </Button>
        </div>
      </form>
    </div>
  )
}
