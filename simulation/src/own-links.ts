import { createEndables } from './endings.ts'
import { BrokenPromise, type Promises } from './promises.ts'
import type { World } from './world.ts'

/** A link by which a guest lists on another device what they have sent to an event. */
interface OwnLink {
  guest: string
  eventId: string
  key: string
}

/** Guests' own links, and whether they open what they should. */
export const createOwnLinkPromises = (
  { look, databases }: World,
  { deletedEvents }: Pick<Promises, 'deletedEvents'>,
) => {
  const links = createEndables<OwnLink>()

  /** `isOver`: events that were deleted are erased. */
  const check = async ({ isOver }: { isOver: boolean }): Promise<void> => {
    const eventIds = databases.events.read('events').map(({ _id }) => String(_id))
    const uploads = databases.uploads.read('uploads')
    for (const { guest, eventId, key, state } of links.items) {
      const open = (what: { eventId?: string; uploadId?: string }) =>
        look('uploads', ({ ownLinks }) => ownLinks.findGuestByKey(key, what))
      const found = await open({ eventId })
      const isDeleted = deletedEvents.has(eventId)
      if (found && (state === 'ended' || (isOver && isDeleted)))
        throw new BrokenPromise(`A link of ${guest} has ended, and still lists what ${found} has sent`)
      if (state === 'valid' && !isDeleted && found !== guest)
        throw new BrokenPromise(`A link of ${guest} opens ${found ? `what ${found} has sent` : 'nothing'}`)
      for (const other of eventIds)
        if (other !== eventId && (await open({ eventId: other })))
          throw new BrokenPromise(`A link of ${guest} to an event opens another one`)
      for (const upload of uploads)
        if (upload.eventId !== eventId && (await open({ uploadId: String(upload._id) })))
          throw new BrokenPromise(`A link of ${guest} to an event opens an upload of another one`)
    }
  }

  return {
    keep: async (link: Pick<OwnLink, 'guest' | 'eventId'>, url: string): Promise<void> => {
      links.add({ ...link, key: new URL(url).hash.slice(1) })
      await check({ isOver: false })
    },

    /** A guest ends their links to an event: `work` says whether that was answered. */
    whileEnding: async (
      { guest, eventId }: Pick<OwnLink, 'guest' | 'eventId'>,
      work: () => Promise<boolean>,
    ): Promise<void> => {
      await links.whileEnding((link) => link.guest === guest && link.eventId === eventId, work)
      await check({ isOver: false })
    },

    check,
  }
}
export type OwnLinkPromises = ReturnType<typeof createOwnLinkPromises>
