import type { Envelope, LiveEvent } from '@confetti/contracts'

/** A change of an event, as it is sent to its streams. */
export interface LiveChange {
  liveEvent: LiveEvent
  /** Whether only members receive it, because it concerns something that guests do not see. */
  isForMembersOnly: boolean
}

const forMembers = (liveEvent: LiveEvent): LiveChange => ({ liveEvent, isForMembersOnly: true })
const forEveryone = (liveEvent: LiveEvent): LiveChange => ({ liveEvent, isForMembersOnly: false })

const changeOfUpload = ({ uploadId, status, visibility }: Envelope<'upload.changed.v1'>['data']) => {
  const data = { uploadId }
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
