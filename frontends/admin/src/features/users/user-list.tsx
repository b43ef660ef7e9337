import { useRef, useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { MAX_EMAIL_CHARACTERS } from '@confetti/contracts'
import { useSession } from '@confetti/session'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { EmptyState } from '@confetti/ui/empty-state'
import { TextField } from '@confetti/ui/field'
import { useText } from '../../texts.ts'
import { PagedList } from '../paged-list/paged-list.tsx'
import type { UnsentLink } from './unsent-link.tsx'
import { useDebounced } from './use-debounced.ts'
import { useUserActions } from './use-user-actions.ts'
import { UserCard, UserSkeleton } from './user-card.tsx'
import { accountsQuery } from './users-api.ts'

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
export const UserList = ({ onLink }: { onLink: (unsent: UnsentLink | undefined) => void }) => {
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
