import { defineConsumer } from '@confetti/messaging'
import type { EraseUser } from '../domain/erase-user.ts'

export interface UserDeletedDeps {
  eraseUser: EraseUser
}

export const userDeletedConsumer = ({ eraseUser }: UserDeletedDeps) =>
  defineConsumer('contact.user-deleted', ({ data, time }) => eraseUser({ ...data, erasedAt: new Date(time) }))
