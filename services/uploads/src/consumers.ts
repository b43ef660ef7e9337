import type { Consumer } from '@confetti/messaging'
import { eventCreatedConsumer, type EventCreatedDeps } from './consumers/event-created.ts'
import { mediaFailedConsumer, type MediaFailedDeps } from './consumers/media-failed.ts'
import { mediaProcessedConsumer, type MediaProcessedDeps } from './consumers/media-processed.ts'
import { queueCreatedConsumer, type QueueCreatedDeps } from './consumers/queue-created.ts'

export const createConsumers = (
  deps: EventCreatedDeps & MediaFailedDeps & MediaProcessedDeps & QueueCreatedDeps,
): Consumer[] => [
  eventCreatedConsumer(deps),
  mediaProcessedConsumer(deps),
  mediaFailedConsumer(deps),
  queueCreatedConsumer(deps),
]
