import { defineConsumer } from '@confetti/messaging'
import type { EnqueueAccountMail } from '../domain/enqueue-account-mail.ts'

export interface UserMailRequestedDeps {
  enqueueAccountMail: EnqueueAccountMail
}

export const userMailRequestedConsumer = ({ enqueueAccountMail }: UserMailRequestedDeps) =>
  defineConsumer('notifications.user-mail-requested', ({ id, data }) => enqueueAccountMail(id, data))
