import { MB, maxUploadRequestBytes, type UploadLimits } from '@confetti/contracts'
import { tooLarge } from '@confetti/service-kit'
import { eventMissing } from '../../rejections.ts'

/** How much of a body is accepted before its event is known. */
const MAX_BYTES_BEFORE_EVENT = MB

/** Limits the length of a body without a Content-Length: first to what the fields need, then to what the files may have. */
export const createBodyLength = (limits: UploadLimits) => {
  let isEventKnown = false
  return {
    /** Accepts the files. */
    acceptFiles: (): void => {
      isEventKnown = true
    },
    /** Throws `invalid` or `tooLarge` if a body may not have this many bytes. */
    check: (bytes: number): void => {
      if (!isEventKnown && bytes > MAX_BYTES_BEFORE_EVENT)
        throw eventMissing([
          { field: 'eventId', message: 'Send the event ID before the files.', code: 'event_id_missing' },
        ])
      if (bytes > maxUploadRequestBytes(limits))
        throw tooLarge('That is too much for one upload. Please send fewer files at once.')
    },
  }
}
