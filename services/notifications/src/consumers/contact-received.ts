import { defineConsumer } from '@confetti/messaging'
import type { NotifyAdmins } from '../domain/notify-contact.ts'

export interface ContactReceivedDeps {
  notifyAdmins: NotifyAdmins
}

export const contactReceivedConsumer = ({ notifyAdmins }: ContactReceivedDeps) =>
  defineConsumer('notifications.contact-received', ({ data }) => notifyAdmins(data))
