import { defineConsumer, newMessage, type Broker, type Consumer } from '@confetti/messaging'
import type { Deps } from './deps.ts'
import { createRecordUpload } from './digests/digests.ts'
import { createEraseEvent, createEraseUser } from './erasure.ts'
import { createAccountMails } from './notices/account-mails.ts'
import { createContactMails } from './notices/contact-mails.ts'
import { createOrganiserInvitations } from './notices/organiser-invitations.ts'
import type { Recipients } from './recipients/recipients.ts'

export const createConsumers = (
  deps: Deps,
  { recipients, publish }: { recipients: Recipients; publish: Broker['publish'] },
): Consumer[] => {
  const { events } = deps
  const service = 'notifications'
  const eraseUser = createEraseUser(deps)
  const eraseEvent = createEraseEvent(deps)
  const enqueueAccountMail = createAccountMails(deps)
  const inviteOrganiser = createOrganiserInvitations(deps)
  const contactMails = createContactMails(deps)
  const recordUpload = createRecordUpload(deps)
  return [
    defineConsumer('notifications.user-registered', async ({ data }) => {
      await recipients.copyUser({ ...data, active: true })
    }),
    defineConsumer('notifications.user-changed', async ({ data: { revision, ...user } }) => {
      await recipients.copyUser(user, revision)
    }),
    defineConsumer('notifications.user-deleted', async ({ data }) => {
      await eraseUser(data)
      await publish(newMessage('user.erased.v1', { userId: data._id, service }))
    }),
    defineConsumer('notifications.user-mail-requested', ({ id, data }) => enqueueAccountMail(id, data)),
    defineConsumer('notifications.event-created', async ({ data }) => {
      await events.save(data)
    }),
    defineConsumer('notifications.event-changed', async ({ data }) => {
      await events.save(data)
    }),
    defineConsumer('notifications.event-deleted', async ({ data: { _id: eventId } }) => {
      await eraseEvent(eventId)
      await publish(newMessage('event.erased.v1', { eventId, service }))
    }),
    defineConsumer('notifications.organiser-invited', ({ data }) => inviteOrganiser(data)),
    // Digests can wait: a burst must not compete with the uploads themselves.
    defineConsumer('notifications.upload-completed', ({ data }) => recordUpload(data), { prefetch: 4 }),
    defineConsumer('notifications.contact-received', ({ data }) => contactMails.notifyAdmins(data)),
    defineConsumer('notifications.contact-replied', ({ data }) => contactMails.notifySender(data)),
  ]
}
