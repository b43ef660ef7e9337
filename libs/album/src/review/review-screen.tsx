import { useEffect, type ReactNode } from 'react'
import Check from 'lucide-react/icons/check'
import EyeOff from 'lucide-react/icons/eye-off'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import Undo2 from 'lucide-react/icons/undo-2'
import Users from 'lucide-react/icons/users'
import { getErrorMessage } from '@confetti/api-client'
import type { Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { Skeleton } from '@confetti/ui/skeleton'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { LargeView, preloadPictures } from '../large-view.tsx'
import { useModeration, type ModerationCalls } from '../use-moderation.tsx'
import { useSwipe } from '../use-swipe.ts'
import type { Uploads } from '../use-uploads.tsx'
import styles from './review-screen.module.css'
import { formatApproveGuest, formatLeft, formatPreparing, formatReviewed, texts } from './texts.ts'
import { useReviewKeys } from './use-review-keys.ts'
import { useReview, type Review } from './use-review.ts'

const Key = ({ children }: { children: string }) => (
  <kbd aria-hidden className={styles.key}>
    {children}
  </kbd>
)

const Stage = ({
  review,
  upload,
  onLinkFailed,
}: {
  review: Review
  upload: Upload
  onLinkFailed: () => void
}) => {
  const { offsetPx, handlers } = useSwipe((step) => review.decide(step === 1 ? 'hide' : 'approve'))
  return (
    <div className={`dark ${styles.stage}`}>
      <div className={styles.viewport} {...handlers}>
        <div
          key={upload._id}
          className={styles.large}
          style={offsetPx ? { transform: `translateX(${offsetPx}px)` } : undefined}
        >
          <LargeView upload={upload} onLinkFailed={onLinkFailed} />
        </div>
        {offsetPx !== 0 && (
          <span aria-hidden className={styles.swipe}>
            {offsetPx > 0 ? texts.approve : texts.hide}
          </span>
        )}
      </div>
      <p className={styles.caption}>
        <b>{upload.photoCredit}</b>
        <span>{new Date(upload.uploadedAt).toLocaleString()}</span>
      </p>
    </div>
  )
}

const Actions = ({ review }: { review: Review }) => {
  const { current, ofGuest, decide, undo, canUndo } = review
  return (
    <div className={styles.actions}>
      {current && (
        <>
          <Button icon={<Check size={20} aria-hidden />} onClick={() => decide('approve')}>
            {texts.approve} <Key>A</Key>
          </Button>
          <Button variant="secondary" icon={<EyeOff size={20} aria-hidden />} onClick={() => decide('hide')}>
            {texts.hide} <Key>H</Key>
          </Button>
          <Button variant="outline" icon={<Trash2 size={20} aria-hidden />} onClick={() => decide('delete')}>
            {texts.delete} <Key>D</Key>
          </Button>
        </>
      )}
      <Button
        variant="outline"
        icon={<Undo2 size={20} aria-hidden />}
        aria-disabled={!canUndo}
        onClick={undo}
      >
        {texts.undo} <Key>Z</Key>
      </Button>
      {current && ofGuest.length > 1 && (
        <Button
          variant="outline"
          icon={<Users size={20} aria-hidden />}
          className={styles.guest}
          onClick={review.approveGuest}
        >
          <span>{formatApproveGuest(ofGuest.length, current.photoCredit)}</span>
        </Button>
      )}
    </div>
  )
}

const ReviewContent = ({ review, onLinkFailed }: { review: Review; onLinkFailed: () => void }) => {
  const { current, upcoming, waitingCount, preparingCount, reviewedCount, announcement } = review
  useReviewKeys(review)
  useEffect(() => preloadPictures(upcoming), [upcoming])
  // The buttons are removed with the last upload.
  const { target, within } = useKeepFocus<HTMLDivElement>()
  const total = reviewedCount + waitingCount
  return (
    <div ref={target} tabIndex={-1} className={styles.review} {...within}>
      <div className={styles.progress}>
        <p>
          {formatLeft(waitingCount)} · {formatReviewed(reviewedCount)}
          {preparingCount > 0 && ` · ${formatPreparing(preparingCount)}`}
        </p>
        {total > 0 && <ProgressBar label={texts.progress} value={(100 * reviewedCount) / total} />}
      </div>
      <p role="status" className={hidden.visuallyHidden}>
        {announcement}
      </p>
      {current ? (
        <Stage review={review} upload={current} onLinkFailed={onLinkFailed} />
      ) : (
        <EmptyState title={texts.nothing}>
          <p>{reviewedCount > 0 ? texts.doneHint : texts.nothingHint}</p>
        </EmptyState>
      )}
      {(current !== undefined || review.canUndo) && <Actions review={review} />}
      {current && <p className={styles.hint}>{texts.keys}</p>}
    </div>
  )
}

interface Props {
  uploads: Uploads
  calls: ModerationCalls
}

const LoadedReview = ({ uploads, calls }: Props) => {
  const review = useReview(useModeration({ uploads, calls }))
  return <ReviewContent review={review} onLinkFailed={() => void uploads.refresh().catch(() => undefined)} />
}

const Loading = (): ReactNode => (
  <>
    <p role="status" className={hidden.visuallyHidden}>
      {texts.loading}
    </p>
    <Skeleton height="60vh" radius="14px" />
  </>
)

/** The uploads that wait for approval, one at a time, for hundreds of them in a few minutes. */
export const ReviewScreen = ({ uploads, calls }: Props) => {
  if (uploads.status === 'pending') return <Loading />
  if (uploads.status === 'error')
    return (
      <EmptyState title={texts.loadFailed}>
        <p>{getErrorMessage(uploads.error)}</p>
        <Button icon={<RotateCw size={20} aria-hidden />} onClick={uploads.retry}>
          Retry
        </Button>
      </EmptyState>
    )
  return <LoadedReview uploads={uploads} calls={calls} />
}
