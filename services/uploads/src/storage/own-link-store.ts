import { Schema, type Connection } from 'mongoose'

interface OwnLink {
  guestId: string
  eventId: string
  createdAt: Date
}

interface OwnLinkDocument extends OwnLink {
  /** The SHA-256 of its key. */
  _id: string
}

/** Creates the store of guests' own links, and its indexes. */
export const createOwnLinkStore = async (connection: Connection) => {
  const model = connection.model<OwnLinkDocument>(
    'OwnLink',
    new Schema<OwnLinkDocument>({
      _id: String,
      guestId: { type: String, required: true },
      eventId: { type: String, required: true },
      createdAt: { type: Date, required: true },
    }).index({ eventId: 1, guestId: 1, createdAt: -1 }),
  )
  await model.createIndexes()
  return {
    find: async (keyHash: string): Promise<OwnLink | undefined> =>
      (await model.findById(keyHash).lean()) ?? undefined,

    /** Stores a link. Of its guest and event, at most the `limit` newest stay. */
    add: async (keyHash: string, link: OwnLink, limit: number): Promise<void> => {
      await model.create({ _id: keyHash, ...link })
      const { guestId, eventId } = link
      const old = await model
        .find({ eventId, guestId }, { _id: 1 })
        .sort({ createdAt: -1 })
        .skip(limit)
        .lean()
      if (old.length > 0) await model.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })
    },

    /** Removes the links of a guest to an event. Returns how many. */
    remove: async (guestId: string, eventId: string): Promise<number> =>
      (await model.deleteMany({ eventId, guestId })).deletedCount,

    removeOfEvent: async (eventId: string): Promise<void> => {
      await model.deleteMany({ eventId })
    },
  }
}
