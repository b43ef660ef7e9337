import { consumer } from '@confetti/messaging'
import type { UserStore } from '../storage/user-store.ts'

export const userRegisteredConsumer = ({ users }: { users: UserStore }) =>
  consumer('events.user-registered', ({ data }) => users.keep(data))
