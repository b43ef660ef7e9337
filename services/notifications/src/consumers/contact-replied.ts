import { defineConsumer } from '@confetti/messaging'
import type { NotifySender } from '../domain/notify-contact.ts'

export interface ContactRepliedDeps {
  notifySender: NotifySender
}

export const contactRepliedConsumer = ({ notifySender }: ContactRepliedDeps) =>
  defineConsumer('notifications.contact-replied', ({ data }) => notifySender(data))
