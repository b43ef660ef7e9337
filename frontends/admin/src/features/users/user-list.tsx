import { useRef, useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { MAX_EMAIL_CHARACTERS } from '@confetti/contracts'
import { useSession } from '@confetti/session'
import { Button } from '@confetti/ui/button'
import { ConfirmDialog } from '@confetti/ui/confirm-dialog'
import { EmptyState } from '@confetti/ui/empty-state'
import { TextField } from '@confetti/ui/field'
import { useErrorNotice } from '@confetti/ui/notify'
import type { UnsentLink } from './unsent-link.tsx'
import { useDebounced } from './use-debounced.ts'
import { useUserActions } from './use-user-actions.ts'
import { UserCard, UserSkeleton } from './user-card.tsx'
import styles from './user-list.module.css'
import { accountsQuery } from './users-api.ts'

const SEARCH_DELAY_MS = 300

const focus = (element: HTMLElement | null): void => element?.focus()

const UserListSkeleton = () => (
  <div className={styles.list}>
    <UserSkeleton />
    <UserSkeleton />
    <UserSkeleton />
  </div>
)

/** The accounts, with a search field and what can be done with each of them. */
export const UserList = ({ onLink }: { onLink: (unsent: UnsentLink | undefined) => void }) => {
  const ownId = useSession((session) => session.user?._id)
  const [text, setText] = useState('')
  const search = useDebounced(text.trim().toLowerCase(), SEARCH_DELAY_MS)
  const { data, isPending, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(accountsQuery(search))
  const accounts = data?.pages.flatMap(({ users }) => users)
  /** The first account of the page that 'Load more' has loaded. It gets the focus when it appears. */
  const [firstOfPage, setFirstOfPage] = useState<number>()
  const region = useRef<HTMLElement>(null)
  const actions = useUserActions({ onLink, onErased: () => region.current?.focus() })
  useErrorNotice(isError ? 'Failed to fetch users.' : undefined)

  const retry = (): void => {
    void refetch()
    // The Retry button disappears; the focus moves to where the accounts appear.
    region.current?.focus()
  }

  const loadMore = (): void => {
    if (isFetchingNextPage) return
    setFirstOfPage(accounts?.length)
    void fetchNextPage()
  }

  return (
    <section ref={region} tabIndex={-1} aria-label="Accounts" aria-busy={isPending} className={styles.region}>
      <TextField
        label="Search by email"
        type="search"
        autoComplete="off"
        maxLength={MAX_EMAIL_CHARACTERS}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setFirstOfPage(undefined)
        }}
      />
      {isPending && <UserListSkeleton />}
      {isError && !accounts && (
        <EmptyState title="Couldn't load users.">
          <p>Check your connection and try again.</p>
          <Button onClick={retry}>Retry</Button>
        </EmptyState>
      )}
      {accounts?.length === 0 && (
        <EmptyState title="No users found.">
          <p>Try a shorter part of the address, or invite somebody above.</p>
        </EmptyState>
      )}
      {accounts && accounts.length > 0 && (
        <ul className={styles.list}>
          {accounts.map((account, index) => (
            <UserCard
              key={account._id}
              account={account}
              isOwn={account._id === ownId}
              busy={account._id === actions.busyId}
              headingRef={index === firstOfPage ? focus : undefined}
              onAction={actions.start}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          variant="secondary"
          className={styles.more}
          aria-disabled={isFetchingNextPage}
          onClick={loadMore}
        >
          {isFetchingNextPage ? 'Loading...' : 'Load more'}
        </Button>
      )}
      <ConfirmDialog
        open={actions.dialog !== undefined}
        title={actions.dialog?.title ?? ''}
        text={actions.dialog?.text ?? ''}
        confirmLabel={actions.dialog?.confirmLabel ?? ''}
        onConfirm={actions.confirm}
        onCancel={actions.cancel}
      />
    </section>
  )
}
