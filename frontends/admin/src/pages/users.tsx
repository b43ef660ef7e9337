import { MAX_EMAIL_CHARACTERS } from '@confetti/contracts'
import { useSession } from '@confetti/session'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { EmptyState } from '@confetti/ui/empty-state'
import { TextField } from '@confetti/ui/field'
import { Page } from '@confetti/ui/page'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { PagedList } from '../features/paged-list/paged-list.tsx'
import { InviteForm, type UnsentLink } from '../features/users/invite-form.tsx'
import { useUserActions } from '../features/users/use-user-actions.ts'
import { UserCard, UserSkeleton } from '../features/users/user-card.tsx'
import { accountsQuery } from '../features/users/users-api.ts'
import { useText } from '../texts.ts'

/** The value once it has not changed for `delayMs`. */
const useDebounced = <T,>(value: T, delayMs: number): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}

const SEARCH_DELAY_MS = 300

const NoUsers = () => {
  const t = useText()
  return (
    <EmptyState title={t('admin.users.empty.title')}>
      <p>{t('admin.users.empty.text')}</p>
    </EmptyState>
  )
}

/** The accounts, with a search field and what can be done with each of them. */
const UserList = ({ onLink }: { onLink: (unsent: UnsentLink | undefined) => void }) => {
  const t = useText()
  const ownId = useSession((session) => session.user?._id)
  const [text, setText] = useState('')
  const search = useDebounced(text.trim().toLowerCase(), SEARCH_DELAY_MS)
  const query = useInfiniteQuery(accountsQuery(search))
  const region = useRef<HTMLElement>(null)
  const actions = useUserActions({ ownId, onLink, onErased: () => region.current?.focus() })
  return (
    <>
      <PagedList
        label={t('admin.users.list')}
        failureNotice={t('admin.users.failureNotice')}
        failureTitle={t('admin.users.failureTitle')}
        query={query}
        itemsOf={({ users }) => users}
        listKey={text}
        isSearch={search !== ''}
        skeleton={<UserSkeleton />}
        empty={<NoUsers />}
        region={region}
        renderItem={(account, headingRef) => (
          <UserCard
            account={account}
            isOwn={account._id === ownId}
            busy={account._id === actions.busyId}
            headingRef={headingRef}
            onAction={actions.start}
          />
        )}
      >
        <TextField
          label={t('admin.users.search')}
          type="search"
          autoComplete="off"
          maxLength={MAX_EMAIL_CHARACTERS}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </PagedList>
      <ConfirmDialog
        open={actions.dialog !== undefined}
        title={actions.dialog?.title ?? ''}
        text={actions.dialog?.text ?? ''}
        confirmLabel={actions.dialog?.confirmLabel ?? ''}
        onConfirm={actions.confirm}
        onCancel={actions.cancel}
      />
    </>
  )
}

export const Users = () => {
  const t = useText()
  const client = useQueryClient()
  const [unsent, setUnsent] = useState<UnsentLink>()
  return (
    <Page title={t('admin.tab.users')} lead={t('admin.users.lead')}>
      <InviteForm
        unsent={unsent}
        onInvited={(invitation) => {
          setUnsent(invitation)
          void client.invalidateQueries({ queryKey: ['accounts'] })
        }}
      />
      <UserList onLink={setUnsent} />
    </Page>
  )
}
