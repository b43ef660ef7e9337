import { defineConsumer } from '@confetti/messaging'
import { FIRST_REVISION, type CopyUser } from '../domain/copy-records.ts'

export interface CopyUserDeps {
  copyUser: CopyUser
}

export const userRegisteredConsumer = ({ copyUser }: CopyUserDeps) =>
  defineConsumer('notifications.user-registered', ({ data }) =>
    copyUser({ ...data, active: true }, FIRST_REVISION),
  )
