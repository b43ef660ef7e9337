import { blobNames, eventCopy } from '@confetti/contracts'
import { AppError } from '@confetti/service-kit'
import type { AskedOfGuests } from './asked.ts'
import type { PhoneFile } from './files.ts'
import type { ServiceName } from './services.ts'
import { LATE_MS, type World } from './world.ts'

/** Something that was promised, and does not hold. */
export class BrokenPromise extends Error {
  override name = 'BrokenPromise'
}

/** What a guest was told is stored. */
export interface Kept {
  eventId: string
  guest: string
  credit: string
  file: PhoneFile
  uploadId: string
}

/** What an upload is known by, though it may be renamed or merged: its id, or the same bytes under the same credit. */
export type UploadIdentity = Pick<Kept, 'eventId' | 'credit' | 'uploadId'> & {
  file: Pick<PhoneFile, 'sha256'>
}

/** Whether a promise is about this upload. */
export const isAbout =
  ({ eventId, credit, file, uploadId }: UploadIdentity) =>
  (other: Kept): boolean =>
    other.uploadId === uploadId ||
    (other.eventId === eventId && other.credit === credit && other.file.sha256 === file.sha256)

export type Sent = Omit<Kept, 'uploadId'>

interface Promised extends Kept {
  /** Something may have removed it, or may still do so: it may be there or not. */
  isUncertain: boolean
  /** How often something was about to remove it. */
  removals: number
}

/** What holds when a guest begins to complete a file. */
interface Before {
  /** Nothing new may come. */
  isClosed: boolean
  /** What is new waits for approval. */
  isModerated: boolean
  uploadIds: ReadonlySet<string>
}

/** After this time every replica knows what was changed of an event. */
export const KNOWN_AFTER_MS = 5_000

/** After this time no guest sees what was hidden. */
const UNSEEN_AFTER_MS = 3_000

/** Queries that read whole collections, and may. */
const WITHOUT_INDEX: ReadonlySet<string> = new Set([
  // One for each event that was deleted within the last hour.
  'uploads/erasedtags: everything',
  // What earlier versions have written: none, once it has been stamped.
  'auth/users: (changedAt)',
  'events/events: (changedAt)',
  // Some fields of each event, once a sweep.
  'uploads/events: everything',
  'uploads/events: save (copies.isDone)',
])

const keyOf = ({ eventId, guest, credit, file }: Kept): string =>
  [eventId, guest, credit, file.sha256].join(' ')

const fileKeyOf = ({ eventId, guest, file }: Sent): string => [eventId, guest, file.sha256].join(' ')

/** What people were promised, and whether it holds, as the services' own lists say. */
export const createPromises = (
  { look, listUploads, storage, databases, find, listDead }: World,
  { checkConsents }: AskedOfGuests,
) => {
  const promised = new Map<string, Promised>()
  const removals = new Set<(kept: Kept) => boolean>()
  /** The uploads that guests must not see, and since when. */
  const unseen = new Map<string, number>()
  /** The uploads about which an organiser has decided whether guests see them. */
  const decided = new Set<string>()
  /** What a page shows that follows the gallery of an event, by its id. */
  const pages = new Map<string, { version?: string | undefined; shown: Set<string> }>()
  /** Since when the uploads service has known that an event is closed, or moderated, by its id. */
  const closedSince = new Map<string, number>()
  const moderatedSince = new Map<string, number>()
  const deletedEvents = new Set<string>()
  const sentFiles = new Set<string>()
  /** Whether a guest has begun to send the same: they may own it. */
  const isSentBy = (guest: string, kept: Kept): boolean => sentFiles.has(fileKeyOf({ ...kept, guest }))

  const checkKept = async (): Promise<void> => {
    for (const { eventId, guest, credit, file, isUncertain } of promised.values()) {
      if (isUncertain) continue
      const listed: string[] = []
      for (const { _id, photoCredit } of await listUploads(eventId))
        if (photoCredit === credit && (await storage.isStored(_id, file))) listed.push(_id)
      if (listed.length === 0)
        throw new BrokenPromise(
          `${file.name} of ${guest} under ${credit} was acknowledged, and is not listed`,
        )
      const own = await look('uploads', ({ library }) => library.listOfGuest(guest, { eventId, limit: 100 }))
      if (!own.body?.uploads.some(({ _id }) => listed.includes(_id)))
        throw new BrokenPromise(`${file.name} was acknowledged to ${guest}, who does not own it`)
    }
  }

  /** Asks for what has changed in a gallery, as a page does. Returns the ids of the uploads that it shows. */
  const follow = async (eventId: string): Promise<ReadonlySet<string>> => {
    const { version: since, shown } = pages.get(eventId) ?? { shown: new Set<string>() }
    const { body } = await look('uploads', ({ gallery }) =>
      gallery.list(eventId, { limit: 100, since }).catch((error: unknown) => {
        // A replica may not know yet that there is a gallery.
        if (error instanceof AppError && error.code === 'gallery_off') return { body: undefined }
        throw error
      }),
    )
    if (!body) return shown
    const { version, uploads, removed } = { version: undefined, removed: undefined, ...body }
    const left = removed ? [...shown].filter((id) => !removed.includes(id)) : []
    const page = { version, shown: new Set([...left, ...uploads.map(({ _id }) => _id)]) }
    pages.set(eventId, page)
    return page.shown
  }

  const checkUnseen = async (eventId: string): Promise<void> => {
    if (deletedEvents.has(eventId)) return
    // What others ask for at the same time may be answered late.
    const askedAt = Date.now()
    const shown = await follow(eventId)
    for (const [id, since] of unseen)
      if (shown.has(id) && askedAt >= since + UNSEEN_AFTER_MS)
        throw new BrokenPromise(`${id} is hidden or waits for approval, and guests see it`)
  }

  /** A new page of a gallery that was asked for at `askedAt`, and has these uploads. */
  const checkShown = (ids: readonly string[], askedAt: number): void => {
    for (const id of ids)
      if (askedAt >= (unseen.get(id) ?? Infinity) + UNSEEN_AFTER_MS)
        throw new BrokenPromise(`${id} is hidden or waits for approval, and a guest gets it`)
  }

  /** A page that asks for changes shows in the end what a new one shows. */
  const checkFollowed = async (eventId: string): Promise<void> => {
    const followed = await follow(eventId)
    pages.delete(eventId)
    const listed = await follow(eventId)
    if ([...followed].toSorted().join() !== [...listed].toSorted().join())
      throw new BrokenPromise(`A page shows ${[...followed].join()} of a gallery with ${[...listed].join()}`)
  }

  const isKnown = (since: Map<string, number>, eventId: string): boolean =>
    Date.now() >= (since.get(eventId) ?? Infinity) + KNOWN_AFTER_MS

  /** The audit log keeps ids. */
  const checkErased = async (eventId: string): Promise<void> => {
    const documents = find(eventId).filter((path) => !path.startsWith('auth/auditentries/'))
    const left = [...documents, ...(await storage.listBlobsOf(eventId))]
    if (left.length > 0) throw new BrokenPromise(`Left of a deleted event: ${left.join(', ')}`)
  }

  /** No change of an event or account is unknown to those who keep a copy of it, whether or not its message was lost. */
  const checkCopies = (): void => {
    const check = (owner: 'events' | 'auth', collection: string, services: readonly ServiceName[]): void => {
      for (const { _id, revision, copyRevision = revision } of databases[owner].read(collection))
        for (const service of services)
          for (const copy of databases[service].read(collection))
            if (String(copy._id) === String(_id) && copy.revision !== copyRevision)
              throw new BrokenPromise(`${service} never learns of a change of ${String(_id)}`)
    }
    check('events', 'events', ['uploads', 'notifications'])
    check('auth', 'users', ['events', 'notifications'])
  }

  /** A copy of an event has what the event has now, and nothing that was taken away from it. */
  const checkCopy = async (eventId: string): Promise<void> => {
    const event = await look('events', ({ viewing }) => viewing.getEventCopy(eventId))
    for (const copy of databases.uploads.read('events'))
      for (const field of String(copy._id) === eventId ? eventCopy.keyof().options : [])
        if (JSON.stringify(copy[field] ?? undefined) !== JSON.stringify(event[field]))
          throw new BrokenPromise(`uploads has another ${field} of an event: ${String(copy[field])}`)
  }

  /** Guests can save what they see, if the event allows it. */
  const checkSaved = async (eventId: string): Promise<void> => {
    const { save } = await look('events', ({ viewing }) => viewing.getEventCopy(eventId))
    const { body } = await look('uploads', ({ gallery }) => gallery.list(eventId, { limit: 100 }))
    const names = new Set(await storage.listNames())
    for (const { _id, saveUrl } of body?.uploads ?? [])
      if ((saveUrl !== undefined && names.has(blobNames.copy(_id))) !== (save === 'copy'))
        throw new BrokenPromise(`Copies: ${save ?? 'off'}, of ${_id} guests save ${saveUrl ?? 'nothing'}`)
  }

  /** No query makes a server read a whole collection that grows. */
  const checkIndexes = async (): Promise<void> => {
    // Lists that nobody asks for in an evening.
    for (const phase of ['active', 'upcoming', 'past'] as const)
      await look('events', ({ viewing }) => viewing.listByPhase(phase))
    await look('auth', ({ accounts }) => accounts.listOrganisers())
    await look('auth', ({ accounts }) => accounts.list({ limit: 10 }))
    await look('auth', ({ accounts }) => accounts.listRevoked())
    for (const [service, database] of Object.entries(databases))
      for (const query of database.listUnindexed())
        if (!WITHOUT_INDEX.has(`${service}/${query}`))
          throw new BrokenPromise(`No index for a query of ${service}/${query}`)
  }

  /** Days later, all blobs belong to uploads. */
  const checkBlobs = async (): Promise<void> => {
    const ids = new Set(
      databases.uploads.read('uploads').flatMap(({ _id, deleted }) => (deleted ? [] : String(_id))),
    )
    const orphans = (await storage.listNames()).filter((name) => !ids.has(name.split('/')[0] ?? ''))
    if (orphans.length > 0) throw new BrokenPromise(`Blobs without an upload: ${orphans.join(', ')}`)
  }

  const checkEvent = async (eventId: string): Promise<void> => {
    await checkUnseen(eventId)
    await checkFollowed(eventId)
    const uploads = await listUploads(eventId)
    for (const { _id, status, originalName } of uploads)
      if (status === 'processing') throw new BrokenPromise(`${originalName} (${_id}) is never processed`)
    const contents = uploads.map(({ photoCredit, sha256 }) => `${photoCredit} ${sha256}`)
    if (new Set(contents).size < contents.length) throw new BrokenPromise('A photo is there twice')
    checkConsents(uploads)
  }

  /** Of these photos nothing is certain while `work` goes on, and for some time after it. */
  const whileRemoving = async <T>(concerns: (kept: Kept) => boolean, work: () => Promise<T>): Promise<T> => {
    for (const each of promised.values())
      if (concerns(each)) {
        each.isUncertain = true
        each.removals += 1
      }
    removals.add(concerns)
    try {
      return await work()
    } finally {
      setTimeout(() => removals.delete(concerns), LATE_MS)
    }
  }

  return {
    deletedEvents,
    /** A guest begins to send a file, and may own it from now on. */
    beginSending: (sent: Sent): void => void sentFiles.add(fileKeyOf(sent)),
    isSentBy,

    /** Looks at what the uploads service knows of events. Call it in each step. */
    watch: (): void => {
      const at = Date.now()
      for (const { _id, uploads, moderation } of databases.uploads.read('events')) {
        const eventId = String(_id)
        if (uploads !== 'closed') closedSince.delete(eventId)
        else if (!closedSince.has(eventId)) closedSince.set(eventId, at)
        if (moderation !== 'approve') moderatedSince.delete(eventId)
        else if (!moderatedSince.has(eventId)) moderatedSince.set(eventId, at)
      }
    },

    /** What is known when a guest begins to complete a file. */
    beforeCompletion: async (eventId: string): Promise<Before> => ({
      isClosed: isKnown(closedSince, eventId),
      isModerated: isKnown(moderatedSince, eventId),
      uploadIds: new Set((await listUploads(eventId)).map(({ _id }) => _id)),
    }),

    /** A guest was told that a file is stored, or restored after the removal `undone`. */
    keep: async (kept: Kept, before?: Before, undone?: (kept: Kept) => boolean): Promise<void> => {
      const isNew = before && !before.uploadIds.has(kept.uploadId)
      // Not if that has changed meanwhile: a copy may learn late that an organiser has opened the event again.
      if (isNew && before.isClosed && isKnown(closedSince, kept.eventId))
        throw new BrokenPromise(`${kept.file.name} was accepted after the event had been closed`)
      if (isNew && before.isModerated && isKnown(moderatedSince, kept.eventId)) unseen.set(kept.uploadId, 0)
      const others = [...removals].filter((concerns) => concerns !== undone)
      if (!deletedEvents.has(kept.eventId)) {
        const isUncertain = others.some((concerns) => concerns(kept))
        promised.set(keyOf(kept), { ...kept, isUncertain, removals: 0 })
      }
      await checkKept()
      await checkUnseen(kept.eventId)
      checkConsents(await listUploads(kept.eventId))
    },

    whileRemoving,

    /**
     * A guest gives all that they have sent to an event another credit: `work` says whether that was answered, and whether
     * nothing of it may still happen. What others have sent with it is renamed, too; of two that are equal then, one stays.
     */
    whileRenaming: async (
      { guest, eventId, credit }: Pick<Kept, 'guest' | 'eventId' | 'credit'>,
      work: () => Promise<{ isDone: boolean; isOver: boolean }>,
    ): Promise<void> => {
      const own = [...promised.values()].filter((each) => each.guest === guest && each.eventId === eventId)
      const isConcerned = (other: Kept): boolean =>
        other.eventId === eventId && (other.guest === guest || isSentBy(guest, other))
      const certain = own.flatMap((each) => (each.isUncertain ? [] : { each, removalsBefore: each.removals }))
      const startedAt = Date.now()
      const { isDone, isOver } = await whileRemoving(isConcerned, work)
      if (!isDone || Date.now() > startedAt + LATE_MS) return
      const uploads = await listUploads(eventId)
      for (const { each, removalsBefore } of certain) {
        const renamed: Kept = { ...each, credit }
        for (const { _id, photoCredit } of uploads)
          if (photoCredit === credit && (await storage.isStored(_id, each.file))) renamed.uploadId = _id
        const others = [...removals].filter((concerns) => concerns !== isConcerned || !isOver)
        const isUnremoved = each.removals === removalsBefore + 1 && promised.get(keyOf(each)) === each
        if (!isUnremoved || others.some((concerns) => concerns(each) || concerns(renamed))) continue
        promised.delete(keyOf(each))
        promised.set(keyOf(renamed), { ...renamed, isUncertain: false, removals: 0 })
      }
      await checkKept()
    },

    /** What a guest was promised. */
    listOf: (guest: string): Kept[] => [...promised.values()].filter((each) => each.guest === guest),
    /** One of the uploads that guests were promised, by a number. */
    choose: (index: number, isWanted: (kept: Kept) => boolean = () => true): Kept | undefined => {
      const uploads = [...new Map([...promised.values()].map((each) => [each.uploadId, each])).values()]
      const wanted = uploads.filter(isWanted)
      return wanted[index % wanted.length]
    },

    checkShown,
    /** An organiser decides whether guests see an upload. */
    recordDecision: (uploadId: string): void => {
      unseen.delete(uploadId)
      decided.add(uploadId)
    },
    isDecided: (uploadId: string): boolean => decided.has(uploadId),
    mustBeUnseen: async ({ uploadId, eventId }: Kept): Promise<void> => {
      unseen.set(uploadId, Date.now())
      await checkUnseen(eventId)
    },

    forgetEvent: (eventId: string): void => {
      deletedEvents.add(eventId)
      for (const [key, each] of promised) if (each.eventId === eventId) promised.delete(key)
    },

    /** What must hold days later, when nothing is going on any more. */
    checkAll: async (eventIds: readonly string[]): Promise<void> => {
      await checkKept()
      for (const eventId of eventIds) await (deletedEvents.has(eventId) ? checkErased : checkEvent)(eventId)
      checkCopies()
      for (const eventId of eventIds)
        if (!deletedEvents.has(eventId)) {
          await checkCopy(eventId)
          await checkSaved(eventId)
        }
      await checkIndexes()
      await checkBlobs()
      const dead = listDead()
      if (dead.length > 0) throw new BrokenPromise(`Messages were given up: ${dead.join(', ')}`)
    },
  }
}
export type Promises = ReturnType<typeof createPromises>
