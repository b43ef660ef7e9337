import type { VisibilityChange } from '@confetti/contracts'
import type { UploadMetrics } from '../upload-metrics.ts'
import { makeFindOwnEvent, type FindEvent } from './find-event.ts'
import type { UploadStore } from './upload.ts'

interface Deps {
  findEvent: FindEvent
  uploads: Pick<UploadStore, 'setVisibility'>
  metrics: Pick<UploadMetrics, 'visibilityChanged'>
}

const UPLOADS_AT_ONCE = 10

/** Sets the visibility of uploads of an event, and returns the ids of those that exist. */
const makeSetVisibility =
  ({ uploads, metrics }: Omit<Deps, 'findEvent'>) =>
  async (eventId: string, { uploadIds, visibility }: VisibilityChange): Promise<string[]> => {
    const ids = [...new Set(uploadIds)]
    const found: string[] = []
    for (let start = 0; start < ids.length; start += UPLOADS_AT_ONCE)
      await Promise.all(
        ids.slice(start, start + UPLOADS_AT_ONCE).map(async (id) => {
          const outcome = await uploads.setVisibility(eventId, id, visibility)
          if (outcome !== 'not_found') found.push(id)
          if (outcome === 'changed') metrics.visibilityChanged(visibility)
        }),
      )
    const isFound = new Set(found)
    return ids.filter((id) => isFound.has(id))
  }

/** Shows uploads of any event to guests, or hides them. Throws `notFound` for an unknown event. */
export const makeSetUploadsVisibility = ({ findEvent, ...deps }: Deps) => {
  const setVisibility = makeSetVisibility(deps)
  return async (eventId: string, change: VisibilityChange): Promise<string[]> =>
    setVisibility((await findEvent(eventId))._id, change)
}
export type SetUploadsVisibility = ReturnType<typeof makeSetUploadsVisibility>

/** Does the same for an organiser. Throws `notFound` also for another organiser's event. */
export const makeSetMyUploadsVisibility = ({ findEvent, ...deps }: Deps) => {
  const setVisibility = makeSetVisibility(deps)
  const findOwnEvent = makeFindOwnEvent(findEvent)
  return async (organiserId: string, eventId: string, change: VisibilityChange): Promise<string[]> =>
    setVisibility((await findOwnEvent(organiserId, eventId))._id, change)
}
export type SetMyUploadsVisibility = ReturnType<typeof makeSetMyUploadsVisibility>
