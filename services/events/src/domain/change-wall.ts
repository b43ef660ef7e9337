import { createHash, randomBytes } from 'node:crypto'
import type { Principal } from '@confetti/service-kit'
import type { ChangeEvent } from './change-event.ts'
import { getWallUrl } from './event-views.ts'

interface Deps {
  changeEvent: ChangeEvent
  shellUrl: string
}

const KEY_BYTES = 32

/**
 * Creates the link to the live wall of an event, and ends an earlier one. Only the hash of its key is stored. Throws
 * `notFound` if the caller does not manage the event.
 */
export const makeCreateWall =
  ({ changeEvent, shellUrl }: Deps) =>
  async (eventId: string, principal: Principal): Promise<string> => {
    const key = randomBytes(KEY_BYTES).toString('base64url')
    const wallKeyHash = createHash('sha256').update(key).digest('hex')
    const { _id } = await changeEvent(eventId, principal, () => ({ wallKeyHash }))
    return getWallUrl(shellUrl, _id, key)
  }
export type CreateWall = ReturnType<typeof makeCreateWall>

/** Ends the link to the live wall of an event, if there is one. Throws `notFound` like `CreateWall`. */
export const makeDeleteWall =
  ({ changeEvent }: Pick<Deps, 'changeEvent'>) =>
  async (eventId: string, principal: Principal): Promise<void> => {
    await changeEvent(eventId, principal, (event) =>
      event.wallKeyHash === undefined ? undefined : { wallKeyHash: undefined },
    )
  }
export type DeleteWall = ReturnType<typeof makeDeleteWall>
