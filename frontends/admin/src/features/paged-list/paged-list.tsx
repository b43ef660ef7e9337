import { Fragment, useRef, useState, type ReactNode, type Ref, type RefObject } from 'react'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useErrorNotice } from '@confetti/ui/notify'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'
import styles from './paged-list.module.css'

interface FoundCountProps {
  /** How many match a search; undefined while it is not known, and without a search. */
  count: number | undefined
  /** Whether more may match. */
  hasMore?: boolean
}

/** Tells screen readers how many results a search has. */
export const FoundCount = ({ count, hasMore = false }: FoundCountProps) => {
  const t = useText()
  return (
    <p role="status" className={hidden.visuallyHidden}>
      {count !== undefined && t(hasMore ? 'admin.list.foundFirst' : 'admin.list.found', { count })}
    </p>
  )
}

interface Props<Page, Item> {
  /** The name of the region. */
  label: string
  /** What the toast and the page say if loading fails. */
  failureNotice: string
  failureTitle: string
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  itemsOf: (page: Page) => readonly Item[]
  /** An item in the loading state. */
  skeleton: ReactNode
  /** Shown if there is no item. */
  empty: ReactNode
  /** `headingRef` takes the focus when 'Load more' has loaded the item. */
  renderItem: (item: Item, headingRef: Ref<HTMLHeadingElement> | undefined) => ReactNode
  /** The region, for callers that move the focus to it. */
  region?: RefObject<HTMLElement | null>
  /** Shown above the items. */
  children?: ReactNode
  /** Identifies the list, where a search or a filter changes it. */
  listKey?: string
  /** Whether a search or a filter is used, whose results are announced. */
  isSearch?: boolean
}

const focus = (element: HTMLElement | null): void => element?.focus()

/** The items of an infinite query, with 'Load more'. */
export const PagedList = <Page, Item extends { _id: string }>({
  label,
  failureNotice,
  failureTitle,
  query: { data, isPending, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage },
  itemsOf,
  skeleton,
  empty,
  renderItem,
  region: givenRegion,
  children,
  listKey = '',
  isSearch = false,
}: Props<Page, Item>) => {
  const t = useText()
  const items = data?.pages.flatMap(itemsOf)
  /** The first item of the page that 'Load more' has loaded. */
  const [firstOfPage, setFirstOfPage] = useState<{ listKey: string; index: number | undefined }>()
  const ownRegion = useRef<HTMLElement>(null)
  const region = givenRegion ?? ownRegion
  useErrorNotice(isError ? failureNotice : undefined)

  const retry = (): void => {
    void refetch()
    // The Retry button disappears; the focus moves to where the items appear.
    region.current?.focus()
  }

  const loadMore = (): void => {
    if (isFetchingNextPage) return
    setFirstOfPage({ listKey, index: items?.length })
    void fetchNextPage()
  }

  const focusedIndex = firstOfPage?.listKey === listKey ? firstOfPage.index : undefined
  return (
    <section ref={region} tabIndex={-1} aria-label={label} aria-busy={isPending} className={styles.region}>
      {children}
      <FoundCount count={isSearch ? items?.length : undefined} hasMore={hasNextPage} />
      {isPending && (
        <div className={styles.list}>
          {skeleton}
          {skeleton}
          {skeleton}
        </div>
      )}
      {isError && !items && (
        <EmptyState title={failureTitle}>
          <p>{t('admin.checkConnection')}</p>
          <Button onClick={retry}>{t('common.retry')}</Button>
        </EmptyState>
      )}
      {items?.length === 0 && empty}
      {items && items.length > 0 && (
        <ul className={styles.list}>
          {items.map((item, index) => (
            <Fragment key={item._id}>{renderItem(item, index === focusedIndex ? focus : undefined)}</Fragment>
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
          {t(isFetchingNextPage ? 'common.loading' : 'admin.list.loadMore')}
        </Button>
      )}
    </section>
  )
}
