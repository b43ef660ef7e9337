import {
  codePoints,
  normaliseText,
  type EventSummary,
  type TextLimits,
  type UploadLimits,
} from '@confetti/contracts'
import { invalid } from '@confetti/service-kit'
import type { FormPart } from '../multipart/read-multipart.ts'
import type { FindOpenEvent } from './find-event.ts'
import { originalNameOf } from './file-names.ts'
import type { ReceivedFile, ReceiveFile, RefusedFile } from './receive-file.ts'

export interface ReceivedForm {
  event: EventSummary
  photoCredit: string
  files: (ReceivedFile | RefusedFile)[]
}

interface Deps {
  receiveFile: ReceiveFile
  findOpenEvent: FindOpenEvent
  limits: UploadLimits & Pick<TextLimits, 'MAX_CREDIT_CHARACTERS'>
}

/** Frees what was staged of these files and not committed, as soon as no call uses it; nobody waits for that. */
export const discardFiles = (files: readonly (ReceivedFile | RefusedFile)[]): void => {
  for (const file of files) if ('staged' in file) void file.staged.discard()
}

/**
 * Reads a whole upload form, its fields and files in any order. Throws for a form that cannot be answered, or stored
 * now, and then frees what came with it; files that are refused by themselves are in the result.
 */
export const makeReceiveForm = ({ receiveFile, findOpenEvent, limits }: Deps) => {
  const checkCredit = (sent: string | undefined): string => {
    const credit = normaliseText(sent ?? '')
    if (!credit) throw invalid('Photo credit name is required.', { code: 'credit_missing' })
    if (codePoints(credit) > limits.MAX_CREDIT_CHARACTERS)
      throw invalid(`The name is longer than ${limits.MAX_CREDIT_CHARACTERS} characters.`)
    return credit
  }

  const takeFile = async (
    part: Extract<FormPart, { kind: 'file' }>,
    before: readonly (ReceivedFile | RefusedFile)[],
  ): Promise<ReceivedFile | RefusedFile> => {
    if (before.length >= limits.MAX_FILES_PER_REQUEST) {
      part.skip()
      const refusal = invalid(`At most ${limits.MAX_FILES_PER_REQUEST} files can be sent at once.`, {
        code: 'too_many_files',
      })
      return { originalName: originalNameOf(part.sentName), refusal }
    }
    const last = before.at(-1)
    // It waits for its commit; its last bytes need not wait in memory.
    if (last && 'staged' in last) await last.staged.park()
    return receiveFile(part)
  }

  return async (parts: AsyncIterable<FormPart>): Promise<ReceivedForm> => {
    const files: (ReceivedFile | RefusedFile)[] = []
    let event: EventSummary | undefined
    let credit: string | undefined
    try {
      for await (const part of parts) {
        if (part.kind === 'file') files.push(await takeFile(part, files))
        // At once: a refusal now spares the phone from sending the rest.
        else if (part.name === 'eventId' && part.value.trim()) event ??= await findOpenEvent(part.value)
        else if (part.name === 'photoCredit') credit ??= part.value
      }
      if (!event) throw invalid('Event ID is missing.', { code: 'event_id_missing' })
      // A browser sends a nameless empty part where nothing was chosen.
      const chosen = files.filter((file) => 'staged' in file || !isNoFile(file))
      if (chosen.length === 0) throw invalid('Please select at least one file.', { code: 'no_files' })
      return { event, photoCredit: checkCredit(credit), files: chosen }
    } catch (error) {
      discardFiles(files)
      throw error
    }
  }
}
export type ReceiveForm = ReturnType<typeof makeReceiveForm>

const isNoFile = ({ originalName, refusal }: RefusedFile): boolean =>
  refusal.code === 'empty_file' && originalName === originalNameOf('')
