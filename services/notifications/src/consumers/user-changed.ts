import { defineConsumer } from '@confetti/messaging'
import type { CopyUserDeps } from './user-registered.ts'

export const userChangedConsumer = ({ copyUser }: CopyUserDeps) =>
  defineConsumer('notifications.user-changed', ({ data: { revision, ...user } }) => copyUser(user, revision))
