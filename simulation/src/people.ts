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
import { AppError, isUnavailable, type Principal } from '@confetti/service-kit'
import { buildUploadForm } from '@confetti/test-kit/upload-form'
import { ACCOUNTS, type Command } from './commands.ts'
import { isAskedFor, type AskedOfGuests } from './asked.ts'
import { fileAt, type PhoneFile } from './files.ts'
import type { OwnLinkPromises } from './own-links.ts'
import { BrokenPromise, type Kept, type Promises } from './promises.ts'
import { NoAnswerError, type Random, type Scheduler } from './scheduler.ts'
import type { World } from './world.ts'

const MAX_TRIES = 6
const credits = ['Ann', 'Bob']
const pins = ['Tulip42', 'Rose1234']
const quotas = [2, 5]
const consentTexts = ['My photos may be shown.', 'My photos may be printed.']

type Send = Extract<NewTicket, { outcome: 'send' }>
type SendCommand = Extract<Command, { kind: 'send' }>
type TakeBackCommand = Extract<Command, { kind: 'take back' }>

interface Sent {
  eventId: string
  guest: string
  credit: string
  file: PhoneFile
}

const sentBy = (
  { guest, credit, file }: Extract<Command, { kind: 'send' | 'send form' }>,
  eventId: string,
): Sent => ({ eventId, guest: `guest-${guest}`, credit: credits[credit] ?? '', file: fileAt(file) })

/** Whether a promise is about the same upload as another one, which may have been renamed or merged since. */
/** What an upload is known by: its id, or the same bytes under the same credit. */
type Identity = Pick<Kept, 'eventId' | 'credit' | 'uploadId'> & { file: Pick<PhoneFile, 'sha256'> }

const isOf =
  ({ eventId, credit, file, uploadId }: Identity) =>
  (other: Kept): boolean =>
    other.uploadId === uploadId ||
    (other.eventId === eventId && other.credit === credit && other.file.sha256 === file.sha256)

const formOf = ({ eventId, credit, file }: Sent, consentVersion: string | undefined): IncomingMessage => {
  const form = buildUploadForm({ eventId, credit, name: file.name, consentVersion })
  const headers = {
    'content-type': form.contentType,
    'content-length': String(form.contentLengthFor(file.size)),
  }
  const body = Readable.from([form.head, ...file.blocks, form.end])
  return Object.assign(body, { headers }) as unknown as IncomingMessage
}

/** What guests and organisers do. They try again what was not answered, and take a refusal for an answer. */
export const createPeople = (
  world: World,
  { promises, asked, ownLinks }: { promises: Promises; asked: AskedOfGuests; ownLinks: OwnLinkPromises },
  { note }: Scheduler,
  random: Random,
) => {
  const { ask, storage } = world
  const { asGuest, askAsGuest } = asked

  /** Repeats a call until it is answered; undefined if it was not, after all tries. Throws refusals. */
  const insist = async <T>(call: () => Promise<T>): Promise<T | undefined> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1)
      try {
        return await call()
      } catch (error) {
        // A call that was not answered may still run, and no limit is used up.
        const isStillRunning = error instanceof AppError && error.kind === 'too_many_requests'
        if (!(error instanceof NoAnswerError || isUnavailable(error) || isStillRunning)) throw error
        note(`  people: ${String(error)}`)
        await sleep(1_000 + random.below(10_000))
      }
    return undefined
  }

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
    const others = promises
      .listUploads()
      .filter((kept) => !own.has(kept.uploadId) && !promises.isSentBy(guest, kept))
    const kept = others[index % others.length]
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
    const isSame = (other: Kept): boolean => other.guest === guestId && isOf(kept)(other)
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
    ownLinks.whileEnding({ guest, eventId }, async () => {
      const isDone = await insist(() =>
        asGuest(guest, eventId, endOwnLink, async () => {
          await ask('uploads', 'end own links', (uploads) => uploads.ownLinks.end(guest, eventId))
          return true
        }),
      )
      return isDone ?? false
    })

  const deleteUpload = async (upload: Identity): Promise<void> => {
    await promises.whileRemoving(isOf(upload), () =>
      insist(() => ask('uploads', 'delete', ({ library }) => library.deleteUpload(upload.uploadId))),
    )
  }
  const changing = new Set<string>()
  const changeUpload = async (kind: 'hide' | 'show' | 'delete', index: number): Promise<void> => {
    const uploads = promises.listUploads()
    const kept = uploads[index % uploads.length]
    if (!kept) return
    const { uploadId, eventId } = kept
    if (kind === 'delete') return deleteUpload(kept)
    // Of two changes at once nobody knows which comes last.
    if (changing.has(uploadId)) return
    changing.add(uploadId)
    const visibility = kind === 'hide' ? 'hidden' : 'visible'
    promises.mayBeSeen(uploadId)
    const isDone = await insist(() =>
      ask('uploads', kind, ({ library }) =>
        library.setVisibility({ _id: eventId } as never, { uploadIds: [uploadId], visibility }),
      ),
    )
    // Without an answer, it may still be changed.
    if (!isDone) return
    changing.delete(uploadId)
    if (isDone.includes(uploadId) && kind === 'hide') await promises.mustBeUnseen(kept)
  }

  let admin: Principal
  let organiserId = ''
  const accounts: Principal[] = []
  const createAccount = async (email: string, role: 'user' | 'admin'): Promise<Principal> => {
    const account = await ask('auth', `create ${email}`, ({ deps }) =>
      deps.users.add({ email, role, passwordHash: 'none' }),
    )
    return { userId: account?.user._id ?? '', email, role }
  }

  const useAccount = async (
    kind: Extract<Command, { account: number }>['kind'],
    { userId, email }: Principal,
    eventId: string,
  ): Promise<void> => {
    if (promises.isErased(email)) return
    switch (kind) {
      case 'add organiser':
        await insist(() =>
          ask('events', kind, async ({ viewing, managing }) => {
            const event = await viewing.getStored(eventId)
            const organisers = [...event.organisers.map(({ _id }) => _id), userId]
            return managing.update(event, admin, { organisers: [...new Set(organisers)] })
          }),
        )
        return
      case 'write to admins': {
        const message = { subject: 'A question', message: 'May I?' }
        const sent = await insist(() =>
          ask('contact', kind, ({ contacts }) => contacts.send(message, { userId, email })),
        )
        if (sent) promises.keepMessage(sent._id, email)
        return
      }
      case 'forget password':
        await insist(() => ask('auth', kind, ({ passwords }) => passwords.forgot({ email, address: '::1' })))
        return
      case 'deactivate':
      case 'activate':
        await insist(() =>
          ask('auth', kind, ({ accounts: all }) => all.update(userId, { active: kind === 'activate' })),
        )
        return
      case 'erase account':
        promises.startErasing(email)
        await insist(() => ask('auth', kind, ({ accounts: all }) => all.erase(userId)))
    }
  }

  const changeEvent = async (eventId: string, settings: Record<string, unknown>): Promise<void> => {
    await insist(() =>
      ask('events', JSON.stringify(settings), async ({ viewing, managing }) =>
        managing.update(await viewing.getStored(eventId), admin, { settings }),
      ),
    )
  }

  const deleteEvent = async (eventId: string): Promise<void> => {
    promises.forgetEvent(eventId)
    await insist(() =>
      ask('events', 'delete event', async ({ viewing, managing }) =>
        managing.deleteEvent(await viewing.getStored(eventId)),
      ),
    )
  }

  return {
    /** Creates the accounts of an admin, of the organiser of all events, and of others. */
    createAccounts: async (): Promise<void> => {
      admin = await createAccount('admin@confetti.test', 'admin')
      const organiser = await createAccount('organiser@confetti.test', 'user')
      organiserId = organiser.userId
      while (accounts.length < ACCOUNTS)
        accounts.push(await createAccount(`account-${accounts.length}@confetti.test`, 'user'))
    },

    /** Creates an event with a gallery, and returns its id. */
    createEvent: async (): Promise<string> => {
      const { _id } = await ask('events', 'create', ({ managing }) =>
        managing.create({
          name: 'Summer party',
          description: '',
          startDate: '2026-06-20',
          endDate: '2026-06-21',
          eventFor: organiserId,
        }),
      )
      await changeEvent(_id, { gallery: 'on' })
      return _id
    },

    /** Sends what an event does not have. Returns the code of a refusal. */
    sendAnother: async (eventId: string): Promise<string | undefined> => {
      const credit = `Guest ${random.below(1_000_000)}`
      const sent = { eventId, guest: 'guest-0', credit, file: fileAt(0) }
      promises.beginSending(sent)
      try {
        await sendForm(sent)
        return undefined
      } catch (error) {
        if (error instanceof AppError) return error.code
        throw error
      }
    },

    /** Deletes something of an event. */
    deleteOne: async (eventId: string): Promise<void> => {
      const { body } = await ask('uploads', 'list', ({ library }) =>
        library.list({ _id: eventId } as never, {}),
      )
      const [upload] = body?.uploads ?? []
      if (!upload) return
      const { _id: uploadId, photoCredit: credit, sha256 } = upload
      await deleteUpload({ eventId, credit, file: { sha256 }, uploadId })
    },

    /** Does what a command says. */
    perform: async (command: Command, eventIds: readonly string[]): Promise<void> => {
      const eventId = 'event' in command ? (eventIds[command.event] ?? '') : ''
      switch (command.kind) {
        case 'send': {
          const sent = sentBy(command, eventId)
          promises.beginSending(sent)
          const hash = { true: sent.file.sha256, false: fileAt(command.file + 1).sha256, none: undefined }
          return send(sent, hash[command.hash], command)
        }
        case 'send form': {
          const sent = sentBy(command, eventId)
          promises.beginSending(sent)
          return sendForm(sent)
        }
        case 'steal':
          return steal(`guest-${command.guest}`, command.index)
        case 'take back':
          return takeBack(command)
        case 'rename':
          return rename(`guest-${command.guest}`, eventId, credits[command.credit] ?? '')
        case 'hide':
        case 'show':
        case 'delete':
          return changeUpload(command.kind, command.index)
        case 'close':
          return changeEvent(eventId, { uploads: 'closed' })
        case 'open':
          return changeEvent(eventId, { uploads: 'open' })
        case 'approve':
          return changeEvent(eventId, { moderation: 'approve' })
        case 'show all':
          return changeEvent(eventId, { moderation: 'off' })
        case 'allow copies':
          return changeEvent(eventId, { save: 'copy' })
        case 'forbid copies':
          return changeEvent(eventId, { save: 'off' })
        case 'set PIN':
          return changeEvent(eventId, { pin: pins[command.choice ?? -1] ?? null })
        case 'set consent': {
          const text = consentTexts[command.choice ?? -1]
          return changeEvent(eventId, { consent: text === undefined ? null : { text } })
        }
        case 'set quota':
          return changeEvent(eventId, { maxFiles: quotas[command.choice ?? -1] ?? null })
        case 'look':
          return lookAt(`guest-${command.guest}`, eventId)
        case 'make link':
          return makeLink(`guest-${command.guest}`, eventId)
        case 'end links':
          return endLinks(`guest-${command.guest}`, eventId)
        case 'delete event':
          return deleteEvent(eventId)
        case 'add organiser':
        case 'write to admins':
        case 'forget password':
        case 'deactivate':
        case 'activate':
        case 'erase account': {
          const account = accounts[command.account]
          return account && useAccount(command.kind, account, eventId)
        }
        case 'crash':
          world.crash(command.service)
          return
        case 'cut':
          world.cut(command.service)
          return
        case 'outage':
          world.startOutage(command.of)
          return
        case 'lose queue':
          world.loseQueue(command.queue)
          return
        case 'recover':
          return world.recover()
        case 'wait':
          return world.wait(command.seconds * 1_000)
      }
    },
  }
}
