import type { Principal } from '@confetti/service-kit'
import { ACCOUNTS, type Command } from './commands.ts'
import { isAbout, type Promises, type UploadIdentity } from './promises.ts'
import type { World } from './world.ts'

type AccountCommand = Extract<Command, { account: number }>

/** What members do: an admin, the organiser of all events, and others. */
export const createMembers = ({ ask, insist, listUploads }: World, promises: Promises) => {
  const deleteUpload = async (upload: UploadIdentity): Promise<void> => {
    await promises.whileRemoving(isAbout(upload), () =>
      insist(() => ask('uploads', 'delete', ({ library }) => library.deleteUpload(upload.uploadId))),
    )
  }

  const changing = new Set<string>()
  const changeUpload = async (kind: 'hide' | 'show' | 'delete', index: number): Promise<void> => {
    const uploads = promises.listPromised()
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

  const useAccount = async ({ kind, account }: AccountCommand, eventId: string): Promise<void> => {
    const found = accounts[account]
    if (!found || promises.isErased(found.email)) return
    const { userId, email } = found
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

    /** Deletes something of an event. */
    deleteOne: async (eventId: string): Promise<void> => {
      const [upload] = await listUploads(eventId)
      if (!upload) return
      const { _id: uploadId, photoCredit: credit, sha256 } = upload
      await deleteUpload({ eventId, credit, file: { sha256 }, uploadId })
    },

    changeUpload,
    changeEvent,
    deleteEvent,
    useAccount,
  }
}
export type Members = ReturnType<typeof createMembers>
