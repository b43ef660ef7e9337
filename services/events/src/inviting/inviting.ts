import { createHash, randomBytes } from 'node:crypto'
import { MAX_ORGANISERS, type Event, type OrganiserInvitation } from '@confetti/contracts'
import { conflict, eventNotFound, notFound, tooManyRequests, type Principal } from '@confetti/service-kit'
import type { Accounts, StoredUser } from '../accounts/accounts.ts'
import type { ChangeEvent } from '../change-event.ts'
import type { Deps } from '../deps.ts'
import { canManage, type StoredEvent } from '../event.ts'
import { getInvitationUrl, toFullView, toInvitationView } from '../viewing/views.ts'

const ID_BYTES = 12
const SECRET_BYTES = 32
const DAY_MS = 24 * 3_600_000
/** Each is a mail to an address that anybody can type. */
const MAX_INVITATIONS_PER_DAY = 50

const TOKEN_PATTERN = /^([0-9a-f]{24})\.[\w-]{43}$/
/** A new token, `eventId.secret`. */
const newToken = (eventId: string): string => `${eventId}.${randomBytes(SECRET_BYTES).toString('base64url')}`
const parseEventId = (token: string): string | undefined => TOKEN_PATTERN.exec(token)?.[1]
/** A fast hash is safe, because a token has 256 random bits. */
const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const tooManyOrganisers = () =>
  conflict(`An event has at most ${MAX_ORGANISERS} organisers.`, { code: 'too_many_organisers' })
const tooManyInvitations = () =>
  conflict(`An event has at most ${MAX_ORGANISERS} open invitations. Please withdraw one first.`, {
    code: 'too_many_invitations',
  })
const linkInvalid = () =>
  notFound('This link is no longer valid. Please ask for a new one.', { code: 'link_invalid' })

const toPrincipal = ({ _id: userId, email, role }: StoredUser): Principal => ({ userId, email, role })

/** How an event gets other organisers. Registering somebody else's address first gains nothing: the mail goes to its owner. */
export const createInviting = (
  { config, events, clock }: Deps,
  { accounts, changeEvent }: { accounts: Accounts; changeEvent: ChangeEvent },
) => {
  const sendsMail = config.MAIL === 'on'

  /** Throws `tooManyRequests` if that would be too many invitations of the event in a day. */
  const countInvitation = ({ recentInvitations }: StoredEvent, now: Date): Date[] => {
    const recent = recentInvitations.filter((at) => now.getTime() - at.getTime() < DAY_MS)
    const [oldest] = recent
    if (oldest && recent.length >= MAX_INVITATIONS_PER_DAY)
      throw tooManyRequests(
        'This event has reached its limit of invitations for today. Please try again tomorrow.',
        Math.ceil((oldest.getTime() + DAY_MS - now.getTime()) / 1_000),
      )
    return [...recent, now]
  }

  const requireInvitation = (event: StoredEvent | undefined, token: string) => {
    const tokenHash = hashToken(token)
    const invitation = event?.organiserInvitations.find((each) => each.tokenHash === tokenHash)
    if (!event || !invitation || invitation.expiresAt <= clock()) throw linkInvalid()
    return { event, invitation }
  }

  /** An invitation that can be accepted, and whoever has sent it. Throws `notFound`. */
  const findInvitation = async (token: string) => {
    const eventId = parseEventId(token)
    const { event, invitation } = requireInvitation(eventId ? await events.find(eventId) : undefined, token)
    const inviter = await accounts.find(invitation.invitedBy)
    // An invitation ends with the rights of whoever sent it.
    if (!inviter?.active || !canManage(event, toPrincipal(inviter))) throw linkInvalid()
    return { event, invitation, inviter }
  }

  return {
    /**
     * Invites an email address, whether it has an account or not, by a mail, or by a link that is returned where the system
     * sends none. An earlier invitation to this address ends. Throws `conflict` if the event has all its organisers, or as
     * many invitations, and `tooManyRequests`.
     */
    invite: async (
      event: StoredEvent,
      principal: Principal,
      email: string,
    ): Promise<OrganiserInvitation & { url?: string }> => {
      const token = newToken(event._id)
      const link = getInvitationUrl(config.SHELL_URL, token)
      const now = clock()
      const invitation = {
        _id: randomBytes(ID_BYTES).toString('hex'),
        email,
        tokenHash: hashToken(token),
        expiresAt: new Date(now.getTime() + config.ORGANISER_INVITATION_SECONDS * 1_000),
        invitedBy: principal.userId,
      }
      const view = toInvitationView(invitation)
      await changeEvent(event, (current) => {
        if (!canManage(current, principal)) throw eventNotFound()
        // The sweep removes those that have expired: nobody has withdrawn them.
        const others = current.organiserInvitations.filter((other) => other.email !== email)
        if (current.organisers.length >= MAX_ORGANISERS) throw tooManyOrganisers()
        if (others.filter(({ expiresAt }) => expiresAt > now).length >= MAX_ORGANISERS)
          throw tooManyInvitations()
        return {
          changes: {
            organiserInvitations: [...others, invitation],
            recentInvitations: countInvitation(current, now),
          },
          invited: sendsMail
            ? {
                invitationId: invitation._id,
                email,
                eventId: event._id,
                eventName: current.name,
                invitedBy: { _id: principal.userId, email: principal.email },
                link,
                expiresAt: view.expiresAt,
              }
            : undefined,
        }
      })
      return sendsMail ? view : { ...view, url: link }
    },

    /** Withdraws an invitation. Throws `notFound` if it was accepted, withdrawn or replaced, or has expired. */
    withdraw: async (event: StoredEvent, principal: Principal, invitationId: string): Promise<Event> => {
      const changed = await changeEvent(event, (current) => {
        if (!canManage(current, principal)) throw eventNotFound()
        const others = current.organiserInvitations.filter(({ _id }) => _id !== invitationId)
        if (others.length === current.organiserInvitations.length)
          throw notFound('There is no such invitation any more.', { code: 'invitation_not_found' })
        return { changes: { organiserInvitations: others } }
      })
      return toFullView(changed, config, clock())
    },

    /** Tells what somebody is invited to, and by whom, before they accept it. Throws `notFound` if it is not valid any more. */
    read: async (token: string) => {
      const { event, invitation, inviter } = await findInvitation(token)
      const { _id, name, startDate, endDate } = event
      return {
        event: { _id, name, startDate, endDate },
        invitedBy: inviter.email,
        email: invitation.email,
      }
    },

    /**
     * Makes the caller an organiser of the event that the token is for, whatever address was invited: the link proves that
     * they have the mail. The token is used up, unless the caller organises the event already. Throws `notFound` if it is not
     * valid any more, `conflict` if the event has all its organisers.
     */
    accept: async ({ userId }: Principal, token: string): Promise<Event> => {
      const { event, invitation } = await findInvitation(token)
      const account = await accounts.find(userId)
      if (!account?.active) throw linkInvalid()
      const changed = await changeEvent(event, (current) => {
        requireInvitation(current, token)
        const { organisers, organiserInvitations } = current
        if (organisers.some(({ _id }) => _id === userId)) return undefined
        if (organisers.length >= MAX_ORGANISERS) throw tooManyOrganisers()
        return {
          changes: {
            organisers: [...organisers, { _id: userId, email: account.email }],
            organiserInvitations: organiserInvitations.filter(({ _id }) => _id !== invitation._id),
          },
        }
      })
      return toFullView(changed, config, clock())
    },
  }
}
