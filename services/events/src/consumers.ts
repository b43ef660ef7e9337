import type { Consumer } from '@confetti/messaging'
import { userRegisteredConsumer, type UserRegisteredDeps } from './consumers/user-registered.ts'

export const createConsumers = (deps: UserRegisteredDeps): Consumer[] => [userRegisteredConsumer(deps)]
