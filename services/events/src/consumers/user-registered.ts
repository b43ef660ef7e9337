import { defineConsumer } from '@confetti/messaging'
import type { UserStore } from '../domain/user.ts'

export interface UserRegisteredDeps {
  users: Pick<UserStore, 'save'>
}

export const userRegisteredConsumer = ({ users }: UserRegisteredDeps) =>
  defineConsumer('events.user-registered', ({ data }) => users.save({ ...data, active: true, revision: 0 }))
