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

/** Actions that are confirmed first, with what the dialog says. */
const confirmations: Partial<Record<UserAction, { title: string; label: string; text: string }>> = {
  erase: {
    title: 'Erase this account?',
    label: 'Erase',
    text: 'will be removed for good, and can be invited again. Events that it organises stay.',
  },
  deactivate: {
    title: 'Deactivate this account?',
    label: 'Deactivate',
    text: 'will be signed out within a minute, and cannot sign in until you activate the account again.',
  },
}

/** Runs the actions of the user cards, the risky ones after a confirmation. */
export const useUserActions = ({
  onLink,
  onErased,
}: {
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
      text: `${asking.account.email} ${confirmation.text}`,
      confirmLabel: confirmation.label,
    },
    cancel: (): void => setAsking(undefined),
    confirm: (): void => {
      setAsking(undefined)
      if (asking) void run(asking)
    },
  }
}
