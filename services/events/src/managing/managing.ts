import { createHash, randomBytes } from 'node:crypto'
import type { Event, EventChange, NewEvent } from '@confetti/contracts'
import { conflict, eventNotFound, notFound, type Principal } from '@confetti/service-kit'
import QRCode from 'qrcode'
import type { Accounts } from '../accounts/accounts.ts'
import type { ChangeEvent } from '../change-event.ts'
import { newEventSettings } from '../config.ts'
import type { Deps } from '../deps.ts'
import { canManage, type EventChanges, type StoredEvent } from '../event.ts'
import { computeSchedule, withNotice, type EventDefaults } from '../schedule.ts'
import { getUploadUrl, getWallUrl, toFullView } from '../viewing/views.ts'
import { planUpdate } from './update-event.ts'

// Large enough for a printed poster.
const QR_CODE_WIDTH_PX = 600
const WALL_KEY_BYTES = 32

/** The schedule of a new event. One that ended long ago would be deleted at once: it is kept until an admin decides. */
const planSchedule = <T extends Pick<StoredEvent, 'endDate' | 'settings'>>(
  event: T,
  defaults: EventDefaults,
  now: Date,
) => {
  const schedule = computeSchedule(event, defaults)
  if (!schedule.deleteAt || schedule.deleteAt > now)
    return { ...event, ...schedule, deleteAt: withNotice(schedule.deleteAt, now) }
  const { keepDays: _, ...settings } = event.settings
  return { ...event, ...schedule, settings, deleteAt: undefined }
}

/** What admins and organisers do with events. */
export const createManaging = (
  { config, events, clock }: Deps,
  { accounts, changeEvent }: { accounts: Accounts; changeEvent: ChangeEvent },
) => {
  const view = (event: StoredEvent): Event => toFullView(event, config, clock())

  /** Changes an event as `changeEvent` does. Throws `notFound` if the caller does not manage the event any more. */
  const change = (
    event: StoredEvent,
    principal: Principal,
    decide: (event: StoredEvent) => EventChanges | undefined | Promise<EventChanges>,
  ): Promise<StoredEvent> =>
    changeEvent(event, async (current) => {
      if (!canManage(current, principal)) throw eventNotFound()
      const changes = await decide(current)
      return changes && { changes }
    })

  return {
    /** Creates an event and assigns it to its organiser. Throws `invalid` if the organiser does not exist. */
    create: async ({ eventFor, ...fields }: NewEvent): Promise<Event> => {
      const organiser = await accounts.findOrganiser(eventFor)
      const now = clock()
      const planned = planSchedule({ ...fields, settings: newEventSettings(config) }, config, now)
      const event = await events.create({
        ...planned,
        organisers: [organiser],
        organiserInvitations: [],
        recentInvitations: [],
        savesWithGallery: true,
        createdAt: now,
      })
      return view(await accounts.dropErased(event))
    },

    /** Changes an event: all of it for admins, its settings for its organisers. Throws `forbidden` and `invalid`. */
    update: async (event: StoredEvent, principal: Principal, wanted: EventChange): Promise<Event> =>
      view(
        await change(event, principal, (current) =>
          planUpdate(current, wanted, {
            isAdmin: principal.role === 'admin',
            findOrganiser: accounts.findOrganiser,
            config,
            now: clock(),
          }),
        ),
      ),

    /** Deletes an event: it is gone at once, and other services erase what they have of it. Throws `notFound`. */
    deleteEvent: async ({ _id }: StoredEvent): Promise<void> => {
      if (!(await events.markDeleted(_id, clock()))) throw eventNotFound()
    },

    /** Removes an organiser of an event. Throws `notFound`, or `conflict` if it is the only one. */
    removeOrganiser: async (event: StoredEvent, principal: Principal, userId: string): Promise<Event> =>
      view(
        await change(event, principal, ({ organisers }) => {
          const others = organisers.filter(({ _id }) => _id !== userId)
          if (others.length === organisers.length)
            throw notFound('This account does not organise the event.', { code: 'user_not_found' })
          if (others.length === 0)
            throw conflict('An event needs at least one organiser.', { code: 'last_organiser' })
          return { organisers: others }
        }),
      ),

    /** Creates the link to the live wall of an event, and ends an earlier one. Only the hash of its key is stored. */
    createWall: async (event: StoredEvent, principal: Principal): Promise<string> => {
      const key = randomBytes(WALL_KEY_BYTES).toString('base64url')
      const wallKeyHash = createHash('sha256').update(key).digest('hex')
      await change(event, principal, () => ({ wallKeyHash }))
      return getWallUrl(config.SHELL_URL, event._id, key)
    },

    /** Ends the link to the live wall of an event, if there is one. */
    deleteWall: async (event: StoredEvent, principal: Principal): Promise<void> => {
      await change(event, principal, ({ wallKeyHash }) =>
        wallKeyHash === undefined ? undefined : { wallKeyHash: undefined },
      )
    },

    /** Creates a QR code of the upload link. */
    createQrCode: async (event: StoredEvent): Promise<{ qrCodeDataUrl: string; uploadUrl: string }> => {
      const uploadUrl = getUploadUrl(config.SHELL_URL, event)
      const qrCodeDataUrl = await QRCode.toDataURL(uploadUrl, {
        errorCorrectionLevel: 'L',
        type: 'image/png',
        width: QR_CODE_WIDTH_PX,
      })
      return { qrCodeDataUrl, uploadUrl }
    },
  }
}
