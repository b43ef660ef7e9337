import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, getErrorMessage } from '@confetti/api-client'
import type { Account } from '@confetti/contracts'
import { notify, notifyError } from '@confetti/ui/notify'
import type { UnsentLink } from './unsent-link.tsx'
import type { UserAction } from './user-card.tsx'
import { eraseUser, inviteUser, replaceAccount, sendPasswordReset, updateUser } from './users-api.ts'

interface Pending {
  action: UserAction
  account: Account
}

interface Confirmation {
  title: string
  label: string
  describe: (email: string) => string
  /** What is said of the admin's own account. */
  ownText?: string
}

/** Actions that are confirmed first, with what the dialog says. */
const confirmations: Partial<Record<UserAction, Confirmation>> = {
  promote: {
    title: 'Make this account an admin?',
    label: 'Make admin',
    describe: (email) => `${email} will be able to see, change and delete all events, photos and accounts.`,
  },
  demote: {
    title: 'Make this account an organiser?',
    label: 'Make organiser',
    describe: (email) => `${email} will lose access to the admins' pages within a minute.`,
    ownText: "You will lose access to the admins' pages at once. Only another admin can undo this.",
  },
  deactivate: {
    title: 'Deactivate this account?',
    label: 'Deactivate',
    describe: (email) =>
      `${email} will be signed out within a minute, and cannot sign in until an admin activates the account again.`,
    ownText: 'You will lose access at once. Only another admin can undo this.',
  },
  erase: {
    title: 'Erase this account?',
    label: 'Erase',
    describe: (email) =>
      `${email} and its messages to the admins are removed for good. Its events stay. The address can be invited again.`,
    ownText: 'You will lose access at once. Your account is removed for good. Your events stay.',
  },
}

/** Runs the actions of the user cards, the risky ones after a confirmation. */
export const useUserActions = ({
  ownId,
  onLink,
  onErased,
}: {
  /** The id of the admin's own account. */
  ownId: string | undefined
  /** A link that has to be passed on; undefined if it has been sent by mail. */
  onLink: (unsent: UnsentLink | undefined) => void
  onErased: () => void
}) => {
  const client = useQueryClient()
  const [asking, setAsking] = useState<Pending>()
  const [busyId, setBusyId] = useState<string>()

  const perform = async ({ action, account: { _id, email, role } }: Pending): Promise<string> => {
    const replace = (next: Account | undefined): void => replaceAccount(client, _id, next)
    switch (action) {
      case 'promote':
        replace(await updateUser(_id, { role: 'admin' }))
        return `${email} is an admin now`
      case 'demote':
        replace(await updateUser(_id, { role: 'user' }))
        return `${email} is an organiser now`
      case 'activate':
        replace(await updateUser(_id, { active: true }))
        return `${email} can sign in again`
      case 'deactivate':
        replace(await updateUser(_id, { active: false }))
        return `${email} can no longer sign in`
      case 'invite': {
        const { user, invitationUrl } = await inviteUser({ email, role })
        replace(user)
        onLink(invitationUrl === undefined ? undefined : { email, url: invitationUrl })
        return `${email} has been invited again`
      }
      case 'reset': {
        const { resetUrl } = await sendPasswordReset(_id)
        onLink(resetUrl === undefined ? undefined : { email, url: resetUrl })
        return resetUrl === undefined
          ? `${email} gets a mail with a link`
          : `A link for ${email} has been created`
      }
      case 'erase':
        await eraseUser(_id)
        replace(undefined)
        onErased()
        return `${email} has been erased`
    }
  }

  const run = async (pending: Pending): Promise<void> => {
    setBusyId(pending.account._id)
    try {
      notify({ title: 'Success', message: await perform(pending) })
    } catch (error) {
      // Somebody else has erased it meanwhile.
      if (error instanceof ApiError && error.code === 'user_not_found')
        replaceAccount(client, pending.account._id, undefined)
      notifyError(getErrorMessage(error))
    } finally {
      setBusyId(undefined)
    }
  }

  const confirmation = asking && confirmations[asking.action]
  return {
    busyId,
    start: (action: UserAction, account: Account): void => {
      if (confirmations[action]) setAsking({ action, account })
      else void run({ action, account })
    },
    /** What is to be confirmed. */
    dialog: confirmation && {
      title: confirmation.title,
      text:
        (asking.account._id === ownId ? confirmation.ownText : undefined) ??
        confirmation.describe(asking.account.email),
      confirmLabel: confirmation.label,
    },
    cancel: (): void => setAsking(undefined),
    confirm: (): void => {
      setAsking(undefined)
      if (asking) void run(asking)
    },
  }
}
