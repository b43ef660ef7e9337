import type { Consumer } from '@confetti/messaging'
import { eventCreatedConsumer } from './consumers/event-created.ts'
import { mediaFailedConsumer } from './consumers/media-failed.ts'
import { mediaProcessedConsumer } from './consumers/media-processed.ts'

type Deps = Parameters<typeof eventCreatedConsumer>[0] & Parameters<typeof mediaProcessedConsumer>[0]

export const createConsumers = (deps: Deps): Consumer[] => [
  eventCreatedConsumer(deps),
  mediaProcessedConsumer(deps),
  mediaFailedConsumer(deps),
]
