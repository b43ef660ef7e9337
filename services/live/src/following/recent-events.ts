import { randomBytes } from 'node:crypto'
import type { Envelope, LiveEvent } from '@confetti/contracts'
import { formatEvent, type Audience } from './stream.ts'

/** A change of an event, as it is sent to its streams. */
export interface LiveChange {
  liveEvent: LiveEvent
  /** Whether only members receive it, because it concerns something that guests do not see. */
  isForMembersOnly: boolean
}

const forMembers = (liveEvent: LiveEvent): LiveChange => ({ liveEvent, isForMembersOnly: true })
const forEveryone = (liveEvent: LiveEvent): LiveChange => ({ liveEvent, isForMembersOnly: false })

const changeOfUpload = ({
  uploadId,
  status,
  visibility,
  isTakenBack,
}: Envelope<'upload.changed.v1'>['data']) => {
  const data = { uploadId }
  if (isTakenBack) return forEveryone({ name: 'upload.removed', data })
  if (visibility !== 'visible') return forEveryone({ name: 'upload.hidden', data })
  return status === 'ready'
    ? forEveryone({ name: 'upload.ready', data })
    : forMembers({ name: 'upload.ready', data })
}

export type UploadMessage =
  Envelope<'upload.completed.v1'> | Envelope<'upload.changed.v1'> | Envelope<'upload.deleted.v1'>

/** What a message about an upload means for those who follow its event. */
export const toLiveChange = (message: UploadMessage): LiveChange => {
  switch (message.type) {
    case 'upload.completed.v1':
      return forMembers({ name: 'upload.added', data: { uploadId: message.data.uploadId } })
    case 'upload.changed.v1':
      return changeOfUpload(message.data)
    case 'upload.deleted.v1':
      return forEveryone({ name: 'upload.removed', data: { uploadId: message.data.uploadId } })
  }
}

export const eventChanged: LiveChange = forEveryone({ name: 'event.changed', data: {} })
export const countsOf = (counts: { added: number; ready: number }): LiveChange =>
  forMembers({ name: 'counts', data: counts })

const MAX_ENTRIES = 200
const MAX_AGE_MS = 120_000

export interface RecentEvent {
  name: string
  frame: Buffer
  isForMembersOnly: boolean
}

interface Entry extends RecentEvent {
  sequence: number
  messageId: string | undefined
  at: number
}

/** Whether an audience receives an event. */
export const isFor = (audience: Audience, { isForMembersOnly }: RecentEvent): boolean =>
  audience === 'member' || !isForMembersOnly

interface RecentEvents {
  /** Adds an event and returns it as it is sent; undefined if its message has been added before. */
  add: (change: LiveChange, messageId?: string) => RecentEvent | undefined
  /** The event after which a client loads everything again. */
  reset: () => RecentEvent
  /** What a client has missed since the event with this id; undefined if that is not known. */
  since: (lastEventId: string | undefined, audience: Audience) => RecentEvent[] | undefined
  /** Makes all ids unknown, because messages may be missing. */
  restart: () => void
  removeOld: () => void
}

/**
 * The latest events of one event's streams: at most 200, of the last 2 minutes. Ids are `<epoch>-<sequence>`; the epoch
 * differs for each replica and each gap, so that an id is never mistaken for another one's.
 */
export const createRecentEvents = (): RecentEvents => {
  let epoch = ''
  let sequence = 0
  let entries: Entry[] = []
  /** The last sequence of each audience that is not in `entries` any more. */
  const removed: Record<Audience, number> = { member: 0, wall: 0 }

  const restart = (): void => {
    epoch = randomBytes(6).toString('hex')
    sequence = 0
    entries = []
    removed.member = 0
    removed.wall = 0
  }
  restart()

  const removeOld = (): void => {
    const minAt = performance.now() - MAX_AGE_MS
    const isKept = ({ at }: Entry, index: number): boolean =>
      at >= minAt && index >= entries.length - MAX_ENTRIES
    const firstKept = entries.findIndex(isKept)
    for (const entry of entries.splice(0, firstKept === -1 ? entries.length : firstKept))
      for (const audience of ['member', 'wall'] as const)
        if (isFor(audience, entry)) removed[audience] = entry.sequence
  }

  return {
    add: ({ liveEvent, isForMembersOnly }, messageId) => {
      if (messageId && entries.some((entry) => entry.messageId === messageId)) return undefined
      sequence += 1
      const frame = formatEvent(`${epoch}-${sequence}`, liveEvent)
      const entry = { name: liveEvent.name, frame, isForMembersOnly, sequence, messageId }
      entries.push({ ...entry, at: performance.now() })
      removeOld()
      return entry
    },
    reset: () => ({
      name: 'reset',
      frame: formatEvent(`${epoch}-${sequence}`, { name: 'reset', data: {} }),
      isForMembersOnly: false,
    }),
    since: (lastEventId, audience) => {
      const [, ofEpoch, text] = /^([0-9a-f]{12})-(\d{1,15})$/.exec(lastEventId ?? '') ?? []
      const last = Number(text)
      const isKnown = ofEpoch === epoch && last >= removed[audience] && last <= sequence
      return isKnown ? entries.filter((entry) => entry.sequence > last && isFor(audience, entry)) : undefined
    },
    restart,
    removeOld,
  }
}
