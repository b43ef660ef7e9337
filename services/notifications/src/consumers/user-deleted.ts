import { defineConsumer } from '@confetti/messaging'
import type { EraseUser } from '../domain/erase.ts'

export interface UserDeletedDeps {
  eraseUser: EraseUser
}

export const userDeletedConsumer = ({ eraseUser }: UserDeletedDeps) =>
  defineConsumer('notifications.user-deleted', ({ data }) => eraseUser(data))
