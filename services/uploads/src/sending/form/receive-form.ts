import type { TextLimits, UploadLimits } from '@confetti/contracts'
import { invalid } from '@confetti/service-kit'
import { checkCredit } from '../sender.ts'
import type { StoredEvent } from '../../events.ts'
import { toOriginalName } from '../../file-names.ts'
import type { FindOpenEvent } from '../../events.ts'
import { eventMissing, noFiles } from '../../rejections.ts'
import type { FormPart } from './read-multipart.ts'
import type { FileOutcome, ReceiveFile, RejectedFile } from './receive-file.ts'

export interface ReceivedForm {
  event: StoredEvent
  photoCredit: string
  files: FileOutcome[]
}

type FilePart = Extract<FormPart, { kind: 'file' }>

interface Deps {
  receiveFile: ReceiveFile
  findOpenEvent: FindOpenEvent
  limits: UploadLimits & Pick<TextLimits, 'MAX_CREDIT_CHARACTERS'>
}

/** Removes, in the background, what was staged of these files and not committed. */
export const discardFiles = (files: readonly FileOutcome[]): void => {
  for (const file of files) if ('staged' in file) void file.staged.discard()
}

/**
 * Reads a whole upload form, with fields and files in any order. Files that are rejected on their own are in the
 * result. Calls `acceptFiles` when the event is known. Throws if the form as a whole is invalid or cannot be stored now,
 * and discards the files received so far.
 */
export const makeReceiveForm = ({ receiveFile, findOpenEvent, limits }: Deps) => {
  const receiveNext = async (
    part: FilePart,
    received: readonly FileOutcome[],
    eventId: string,
  ): Promise<FileOutcome> => {
    if (received.length >= limits.MAX_FILES_PER_REQUEST) {
      const error = invalid(`At most ${limits.MAX_FILES_PER_REQUEST} files can be sent at once.`, {
        code: 'too_many_files',
      })
      return { originalName: toOriginalName(part.sentName), error }
    }
    const previous = received.at(-1)
    // The previous file is committed only when the form ends. Flush it, so that its last bytes do not stay in memory.
    if (previous && 'staged' in previous) await previous.staged.flush()
    return receiveFile(part, eventId)
  }

  return async (parts: AsyncIterable<FormPart>, acceptFiles: () => void): Promise<ReceivedForm> => {
    const files: FileOutcome[] = []
    let event: StoredEvent | undefined
    let photoCredit: string | undefined

    const receive = async (part: FilePart): Promise<void> => {
      files.push(await receiveNext(part, files, event?._id ?? ''))
      // The rest of a file that has been rejected.
      for await (const _ of part.bytes);
    }

    try {
      for await (const part of parts) {
        if (part.kind === 'file') await receive(part)
        // Checked as soon as they arrive: after an early error the phone need not send the rest.
        else if (part.name === 'eventId' && part.value.trim()) {
          event ??= await findOpenEvent(part.value)
          acceptFiles()
        } else if (part.name === 'photoCredit')
          photoCredit ??= checkCredit(part.value, limits.MAX_CREDIT_CHARACTERS)
      }
      if (!event) throw eventMissing()
      // A browser sends an empty part without a name if no file was chosen.
      const chosen = files.filter((file) => 'staged' in file || !isUnchosenFile(file))
      if (chosen.length === 0) throw noFiles()
      return {
        event,
        photoCredit: photoCredit ?? checkCredit(undefined, limits.MAX_CREDIT_CHARACTERS),
        files: chosen,
      }
    } catch (error) {
      discardFiles(files)
      throw error
    }
  }
}
export type ReceiveForm = ReturnType<typeof makeReceiveForm>

const isUnchosenFile = ({ originalName, error }: RejectedFile): boolean =>
  error.code === 'empty_file' && originalName === toOriginalName('')
