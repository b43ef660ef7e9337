import type { Consumer } from '@confetti/messaging'
import { eventChangedConsumer, type EventChangedDeps } from './consumers/event-changed.ts'
import { eventCreatedConsumer, type EventCreatedDeps } from './consumers/event-created.ts'
import { eventDeletedConsumer, type EventDeletedDeps } from './consumers/event-deleted.ts'
import { mediaFailedConsumer, type MediaFailedDeps } from './consumers/media-failed.ts'
import { mediaProcessedConsumer, type MediaProcessedDeps } from './consumers/media-processed.ts'
import { mediaRenderedConsumer, type MediaRenderedDeps } from './consumers/media-rendered.ts'
import { queueCreatedConsumer, type QueueCreatedDeps } from './consumers/queue-created.ts'

export const createConsumers = (
  deps: EventCreatedDeps &
    EventChangedDeps &
    EventDeletedDeps &
    MediaFailedDeps &
    MediaProcessedDeps &
    MediaRenderedDeps &
    QueueCreatedDeps,
): Consumer[] => [
  eventCreatedConsumer(deps),
  eventChangedConsumer(deps),
  eventDeletedConsumer(deps),
  mediaProcessedConsumer(deps),
  mediaFailedConsumer(deps),
  mediaRenderedConsumer(deps),
  queueCreatedConsumer(deps),
]
