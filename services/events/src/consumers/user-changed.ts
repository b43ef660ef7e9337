import { defineConsumer } from '@confetti/messaging'
import type { UserStore } from '../domain/user.ts'

export interface UserChangedDeps {
  users: Pick<UserStore, 'save'>
}

export const userChangedConsumer = ({ users }: UserChangedDeps) =>
  defineConsumer('events.user-changed', ({ data }) => users.save(data))
