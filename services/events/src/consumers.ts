import type { Consumer } from '@confetti/messaging'
import { userRegisteredConsumer } from './consumers/user-registered.ts'

export const createConsumers = (deps: Parameters<typeof userRegisteredConsumer>[0]): Consumer[] => [
  userRegisteredConsumer(deps),
]
