import { useEffect, useRef, useState } from 'react'
import Send from 'lucide-react/icons/send'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@confetti/api-client'
import { defaultTextLimits, findTooLong, type Contact } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { TextArea } from '@confetti/ui/field'
import { useFieldErrors } from '@confetti/ui/field-errors'
import { notify, notifyError } from '@confetti/ui/notify'
import { useMailSetting } from '../../mail-setting.ts'
import { replyErrorMessage, sendReply } from './contacts-api.ts'
import styles from './reply-form.module.css'

/** How a reply reaches the sender of the message; undefined as long as that is not known. */
const describeDelivery = (mail: 'on' | 'off' | undefined, email: string): string | undefined => {
  switch (mail) {
    case 'on':
      return `${email} gets it by mail.`
    case 'off':
      return `Mail is off: the reply is only stored here. Write to ${email} yourself.`
    case undefined:
      return undefined
  }
}

/** Answers a message. `onClose` is called when the reply has been sent or is cancelled. */
export const ReplyForm = ({ contact, onClose }: { contact: Contact; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const delivery = describeDelivery(useMailSetting(), contact.userEmail)
  const [message, setMessage] = useState('')
  const [isSending, setIsSending] = useState(false)
  const { form, errors, show, clear } = useFieldErrors()
  const container = useRef<HTMLDivElement>(null)

  useEffect(() => container.current?.querySelector('textarea')?.focus(), [])

  const submit = async (): Promise<void> => {
    const isMissing = !message.trim()
    show(isMissing ? { message: 'Enter a reply.' } : {})
    if (isMissing) return
    setIsSending(true)
    try {
      await sendReply(queryClient, contact._id, message)
      notify({ title: 'Reply saved', message: delivery })
      onClose()
    } catch (error) {
      notifyError(replyErrorMessage(error))
      if (error instanceof ApiError) show(error.fieldErrors)
    } finally {
      setIsSending(false)
    }
  }

  return (
    <div ref={container}>
      <form
        ref={form}
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSending) void submit()
        }}
      >
        <TextArea
          label="Reply"
          name="message"
          rows={4}
          value={message}
          readOnly={isSending}
          required
          hint={delivery}
          error={errors.message ?? findTooLong('message', message, defaultTextLimits.MAX_MESSAGE_CHARACTERS)}
          onChange={({ target }) => {
            setMessage(target.value)
            clear('message')
          }}
        />
        <div className={styles.buttons}>
          <Button type="submit" aria-disabled={isSending} icon={<Send size={20} aria-hidden />}>
            {isSending ? 'Sending...' : 'Send Reply'}
          </Button>
          <Button type="button" variant="secondary" aria-disabled={isSending} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </div>
  )
}
