import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@confetti/api-client'
import type { Account } from '@confetti/contracts'
import { getFailureText } from '@confetti/ui/failure-text'
import { notify, notifyError } from '@confetti/ui/notify'
import { getText, useText, type TextId } from '../../texts.ts'
import type { UnsentLink } from './invite-form.tsx'
import { actionLabels, type UserAction } from './user-card.tsx'
import { eraseUser, inviteUser, replaceAccount, sendPasswordReset, updateUser } from './users-api.ts'

interface Pending {
  action: UserAction
  account: Account
}

interface Confirmation {
  title: TextId
  text: TextId
  /** What is said of the admin's own account. */
  ownText?: TextId
}

/** Actions that are confirmed first, with what the dialog says. */
const confirmations: Partial<Record<UserAction, Confirmation>> = {
  promote: { title: 'admin.users.promote.title', text: 'admin.users.promote.text' },
  demote: {
    title: 'admin.users.demote.title',
    text: 'admin.users.demote.text',
    ownText: 'admin.users.demote.ownText',
  },
  deactivate: {
    title: 'admin.users.deactivate.title',
    text: 'admin.users.deactivate.text',
    ownText: 'admin.users.deactivate.ownText',
  },
  erase: {
    title: 'admin.users.erase.title',
    text: 'admin.users.erase.text',
    ownText: 'admin.users.erase.ownText',
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
  const t = useText()
  const client = useQueryClient()
  const [asking, setAsking] = useState<Pending>()
  const [busyId, setBusyId] = useState<string>()

  const perform = async ({ action, account: { _id, email, role } }: Pending): Promise<string> => {
    const replace = (next: Account | undefined): void => replaceAccount(client, _id, next)
    switch (action) {
      case 'promote':
        replace(await updateUser(_id, { role: 'admin' }))
        return getText('admin.users.promote.done', { email })
      case 'demote':
        replace(await updateUser(_id, { role: 'user' }))
        return getText('admin.users.demote.done', { email })
      case 'activate':
        replace(await updateUser(_id, { active: true }))
        return getText('admin.users.activate.done', { email })
      case 'deactivate':
        replace(await updateUser(_id, { active: false }))
        return getText('admin.users.deactivate.done', { email })
      case 'invite': {
        const { user, invitationUrl } = await inviteUser({ email, role })
        replace(user)
        onLink(invitationUrl === undefined ? undefined : { email, url: invitationUrl })
        return getText('admin.users.inviteAgain.done', { email })
      }
      case 'reset': {
        const { resetUrl } = await sendPasswordReset(_id)
        onLink(resetUrl === undefined ? undefined : { email, url: resetUrl })
        return resetUrl === undefined
          ? getText('admin.users.resetPassword.sent', { email })
          : getText('admin.users.resetPassword.created', { email })
      }
      case 'erase':
        await eraseUser(_id)
        replace(undefined)
        onErased()
        return getText('admin.users.erase.done', { email })
    }
  }

  const run = async (pending: Pending): Promise<void> => {
    setBusyId(pending.account._id)
    try {
      notify({ title: getText('admin.users.success'), message: await perform(pending) })
    } catch (error) {
      // Somebody else has erased it meanwhile.
      if (error instanceof ApiError && error.code === 'user_not_found')
        replaceAccount(client, pending.account._id, undefined)
      notifyError(getFailureText(error))
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
      title: t(confirmation.title),
      text: t((asking.account._id === ownId ? confirmation.ownText : undefined) ?? confirmation.text, {
        email: asking.account.email,
      }),
      confirmLabel: t(actionLabels[asking.action]),
    },
    cancel: (): void => setAsking(undefined),
    confirm: (): void => {
      setAsking(undefined)
      if (asking) void run(asking)
    },
  }
}
