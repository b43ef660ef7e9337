import { defineConsumer } from '@confetti/messaging'
import type { ForgetUser } from '../domain/forget-user.ts'

export interface UserDeletedDeps {
  forgetUser: ForgetUser
}

export const userDeletedConsumer = ({ forgetUser }: UserDeletedDeps) =>
  defineConsumer('events.user-deleted', ({ data }) => forgetUser(data._id))
