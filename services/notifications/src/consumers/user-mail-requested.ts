import { defineConsumer } from '@confetti/messaging'
import type { RequestAccountMail } from '../domain/request-account-mail.ts'

export interface UserMailRequestedDeps {
  requestAccountMail: RequestAccountMail
}

export const userMailRequestedConsumer = ({ requestAccountMail }: UserMailRequestedDeps) =>
  defineConsumer('notifications.user-mail-requested', ({ id, data }) => requestAccountMail(id, data))
