import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createOwnLink,
  createUploads,
  createUploadTickets,
  deleteGuestUpload,
  endOwnLink,
  listGallery,
  listGuestUploads,
  renameGuestUploads,
  restoreGuestUpload,
  type NewTicket,
} from '@confetti/contracts'
import { AppError } from '@confetti/service-kit'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import { isAskedFor, type AskedOfGuests } from './asked.ts'
import type { Command } from './commands.ts'
import { fileAt, type PhoneFile } from './files.ts'
import type { OwnLinkPromises } from './own-links.ts'
import { BrokenPromise, isAbout, type Kept, type Promises, type Sent } from './promises.ts'
import type { Random } from './scheduler.ts'
import type { World } from './world.ts'

const MAX_TRIES = 6

type Send = Extract<NewTicket, { outcome: 'send' }>
type SendCommand = Extract<Command, { kind: 'send' }>
type TakeBackCommand = Extract<Command, { kind: 'take back' }>

const formOf = ({ eventId, credit, file }: Sent, consentVersion: string | undefined): IncomingMessage => {
  const form = buildUploadForm({ eventId, credit, name: file.name, consentVersion })
  const headers = {
    'content-type': form.contentType,
    'content-length': String(form.contentLengthFor(file.size)),
  }
  const body = Readable.from([form.head, ...file.blocks, form.end])
  return Object.assign(body, { headers }) as unknown as IncomingMessage
}

/** What guests do. */
export const createGuests = (
  world: World,
  { promises, asked, ownLinks }: { promises: Promises; asked: AskedOfGuests; ownLinks: OwnLinkPromises },
  random: Random,
) => {
  const { ask, insist, isAnswered, storage } = world
  const { asGuest, askAsGuest } = asked

  const sendBytes = async ({ transfer }: Send, file: PhoneFile): Promise<void> => {
    const { url, headers } = transfer
    if (transfer.kind === 'single') await storage.send(url, { headers, body: Buffer.concat(file.blocks) })
    else
      await Promise.all(
        file.blocks.map((body, index) =>
          storage.send(url, {
            headers,
            body,
            query: { comp: 'block', blockid: transfer.blockIds[index] ?? '' },
          }),
        ),
      )
  }

  const send = async (
    sent: Sent,
    sha256: string | undefined,
    { hashWith, then, thenAfter }: Pick<SendCommand, 'hashWith' | 'then' | 'thenAfter'>,
  ): Promise<void> => {
    promises.beginSending(sent)
    const { eventId, guest, credit, file } = sent
    const hashOfFile = sha256 && { sha256 }
    const declared = { name: file.name, size: file.size, ...(hashWith === 'ticket' && hashOfFile) }
    const tickets = await insist(() =>
      askAsGuest(guest, eventId, createUploadTickets, (consentVersion) =>
        ask('uploads', 'tickets', ({ sending }) =>
          sending.requestTickets(
            { limitSubject: { kind: 'guest', id: guest } },
            { eventId, photoCredit: credit, consentVersion, files: [declared] },
          ),
        ),
      ),
    )
    const ticket = tickets?.answer[0]
    if (ticket?.outcome === 'duplicate' && sha256 === file.sha256)
      await promises.keep({ ...sent, uploadId: ticket.upload._id })
    if (ticket?.outcome !== 'send') return
    asked.expectConsent(ticket.uploadId, tickets?.consents ?? [])
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      await insist(() => sendBytes(ticket, file))
      if (tries === 0 && thenAfter > 0) await sleep(thenAfter * 1_000)
      if (then === 'lease')
        await storage.send(ticket.transfer.url, {
          query: { comp: 'lease' },
          headers: { 'x-ms-lease-action': 'acquire', 'x-ms-lease-duration': '-1' },
        })
      if (then !== 'complete') return
      const completed = await insist(async () => {
        const before = await promises.beforeCompletion(eventId)
        const completion = { ticket: ticket.ticket, ...(hashWith === 'completion' && hashOfFile) }
        const answer = await ask('uploads', 'complete', ({ sending }) => sending.complete([completion]))
        return { before, ...answer }
      })
      const [upload] = completed?.uploads ?? []
      if (upload) await promises.keep({ ...sent, uploadId: upload._id }, completed?.before)
      const refusal = completed?.rejected[0]?.error.code
      if (isAskedFor(refusal))
        throw new BrokenPromise(`${file.name} had a ticket, and was refused: ${refusal}`)
      if (refusal !== 'incomplete') return
    }
  }

  const sendForm = async (sent: Sent): Promise<void> => {
    promises.beginSending(sent)
    const { eventId, guest } = sent
    const answer = await insist(async () => {
      const before = await promises.beforeCompletion(eventId)
      const { answer: form, consents } = await askAsGuest(guest, eventId, createUploads, (consentVersion) =>
        ask('uploads', 'form', ({ sending }) =>
          sending.receiveForm(formOf(sent, consentVersion), { limitSubject: { kind: 'guest', id: guest } }),
        ),
      )
      return { before, consents, stored: form.stored }
    })
    const [added] = answer?.stored ?? []
    if (!added) return
    const uploadId = added.upload._id
    if (added.kind === 'new') asked.expectConsent(uploadId, answer?.consents ?? [])
    await promises.keep({ ...sent, uploadId }, answer?.before)
  }

  /** Tries to take back what only others have sent. */
  const steal = async (guest: string, index: number): Promise<void> => {
    const own = new Set(promises.listOf(guest).map(({ uploadId }) => uploadId))
    const kept = promises.choose(index, (each) => !own.has(each.uploadId) && !promises.isSentBy(guest, each))
    if (kept)
      await insist(() =>
        asGuest(guest, kept.eventId, deleteGuestUpload, () =>
          ask('uploads', 'steal', ({ library }) => library.takeBack(guest, kept.uploadId)),
        ),
      )
  }

  const takeBack = async ({ guest, index, restoredAfter }: TakeBackCommand): Promise<void> => {
    const own = promises.listOf(`guest-${guest}`)
    const kept = own[index % own.length]
    if (!kept) return
    const { guest: guestId, eventId, uploadId } = kept
    const isSame = (other: Kept): boolean => other.guest === guestId && isAbout(kept)(other)
    let calls = 0
    await promises.whileRemoving(isSame, () =>
      insist(() =>
        asGuest(guestId, eventId, deleteGuestUpload, () => {
          calls += 1
          return ask('uploads', 'take back', ({ library }) => library.takeBack(guestId, uploadId))
        }),
      ),
    )
    if (restoredAfter === undefined) return
    await sleep(restoredAfter * 1_000)
    const restored = await insist(() =>
      asGuest(guestId, eventId, restoreGuestUpload, () =>
        ask('uploads', 'restore', ({ library }) => library.restore(guestId, uploadId)),
      ),
    )
    // Another one if it was merged into that. A call without an answer may take it back again.
    const removal = calls === 1 ? isSame : undefined
    if (!restored) return
    const { _id, photoCredit } = restored
    await promises.keep({ ...kept, credit: photoCredit, uploadId: _id }, undefined, removal)
  }

  const rename = (guest: string, eventId: string, credit: string): Promise<void> =>
    promises.whileRenaming({ guest, eventId, credit }, async () => {
      let calls = 0
      const renamed = await insist(() =>
        asGuest(guest, eventId, renameGuestUploads, () => {
          calls += 1
          return ask('uploads', 'rename', ({ library }) =>
            library.renameSent(guest, { eventId, photoCredit: credit }),
          )
        }),
      )
      return { isDone: renamed !== undefined, isOver: calls === 1 }
    })

  /** Opens the gallery, and the list of what the guest has sent. */
  const lookAt = async (guest: string, eventId: string): Promise<void> => {
    await insist(() =>
      asGuest(guest, eventId, listGuestUploads, () =>
        ask('uploads', 'own list', ({ library }) => library.listOfGuest(guest, { eventId, limit: 100 })),
      ),
    )
    let askedAt = 0
    const seen = await insist(() =>
      asGuest(guest, eventId, listGallery, () => {
        askedAt = Date.now()
        return ask('uploads', 'gallery', ({ gallery }) => gallery.list(eventId, { limit: 100 }))
      }),
    )
    promises.checkShown(seen?.body?.uploads.map(({ _id }) => _id) ?? [], askedAt)
  }

  const makeLink = async (guest: string, eventId: string): Promise<void> => {
    const url = await insist(() =>
      asGuest(guest, eventId, createOwnLink, () =>
        ask('uploads', 'own link', (uploads) => uploads.ownLinks.create(guest, eventId)),
      ),
    )
    if (url) await ownLinks.keep({ guest, eventId }, url)
  }

  const endLinks = (guest: string, eventId: string): Promise<void> =>
    ownLinks.whileEnding({ guest, eventId }, () =>
      isAnswered(() =>
        asGuest(guest, eventId, endOwnLink, () =>
          ask('uploads', 'end own links', (uploads) => uploads.ownLinks.end(guest, eventId)),
        ),
      ),
    )

  return {
    send,
    sendForm,
    /** Sends what an event does not have. Returns the code of a refusal. */
    sendAnother: async (eventId: string): Promise<string | undefined> => {
      const credit = `Guest ${random.below(1_000_000)}`
      const sent = { eventId, guest: 'guest-0', credit, file: fileAt(0) }
      try {
        await sendForm(sent)
        return undefined
      } catch (error) {
        if (error instanceof AppError) return error.code
        throw error
      }
    },

    steal,
    takeBack,
    rename,
    lookAt,
    makeLink,
    endLinks,
  }
}
export type Guests = ReturnType<typeof createGuests>
