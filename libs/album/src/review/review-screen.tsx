import { useEffect } from 'react'
import Check from 'lucide-react/icons/check'
import EyeOff from 'lucide-react/icons/eye-off'
import Trash2 from 'lucide-react/icons/trash-2'
import Undo2 from 'lucide-react/icons/undo-2'
import Users from 'lucide-react/icons/users'
import type { Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { getFailureText } from '@confetti/ui/failure-text'
import { LoadFailed } from '@confetti/ui/load-failed'
import { useKeepFocus } from '@confetti/ui/keep-focus'
import { ProgressBar } from '@confetti/ui/progress-bar'
import { Skeleton } from '@confetti/ui/skeleton'
import hidden from '@confetti/ui/visually-hidden.module.css'
import { formatTime } from '../upload.ts'
import { LargeView } from '../large-view.tsx'
import { preloadPictures } from '../medium.tsx'
import { useText } from '../texts.ts'
import { findPreloadUrl, toMedium } from '../upload-medium.tsx'
import { useModeration, type ModerationCalls } from '../moderation.tsx'
import type { Uploads } from '../use-uploads.ts'
import styles from './review-screen.module.css'
import { useReview, useReviewKeys, type Review } from './use-review.ts'

const Key = ({ letter }: { letter: string }) => (
  <kbd aria-hidden className={styles.key}>
    {letter}
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
  const t = useText()
  return (
    <div className={`dark ${styles.stage} ${review.ofGuest.length > 1 ? styles.withGuestActions : ''}`}>
      <LargeView
        key={upload._id}
        isInPage
        medium={toMedium(t, upload)}
        // Left and right are the same in all languages, as the hint about keys says.
        onSwipe={(step) => review.decide(step === 1 ? 'hide' : 'approve')}
        onLinkFailed={onLinkFailed}
      >
        {(offsetPx) =>
          offsetPx !== 0 && (
            <span aria-hidden className={styles.swipe}>
              {t(offsetPx > 0 ? 'album.review.approve' : 'album.review.hide')}
            </span>
          )
        }
      </LargeView>
      <p className={styles.caption}>
        <b>
          <bdi>{upload.photoCredit}</bdi>
        </b>
        <span>{formatTime(upload.uploadedAt)}</span>
      </p>
    </div>
  )
}

const Actions = ({ review }: { review: Review }) => {
  const t = useText()
  const { current, ofGuest, decide, decideGuest, undo, canUndo } = review
  const ofCurrentGuest = { count: ofGuest.length, guest: current?.photoCredit ?? '' }
  return (
    <div className={styles.actions}>
      {current && (
        <>
          <Button icon={<Check size={20} aria-hidden />} onClick={() => decide('approve')}>
            {t('album.review.approve')} <Key letter="A" />
          </Button>
          <Button variant="secondary" icon={<EyeOff size={20} aria-hidden />} onClick={() => decide('hide')}>
            {t('album.review.hide')} <Key letter="H" />
          </Button>
          <Button variant="outline" icon={<Trash2 size={20} aria-hidden />} onClick={() => decide('delete')}>
            {t('album.review.delete')} <Key letter="D" />
          </Button>
        </>
      )}
      <Button
        variant="outline"
        icon={<Undo2 size={20} aria-hidden />}
        aria-disabled={!canUndo}
        onClick={undo}
      >
        {t('common.undo')} <Key letter="Z" />
      </Button>
      {current && ofGuest.length > 1 && (
        <>
          <Button
            variant="outline"
            icon={<Users size={20} aria-hidden />}
            className={styles.guest}
            onClick={() => decideGuest('approve')}
          >
            <span>{t('album.review.approveGuest', ofCurrentGuest)}</span>
          </Button>
          <Button
            variant="outline"
            icon={<EyeOff size={20} aria-hidden />}
            className={styles.guest}
            onClick={() => decideGuest('hide')}
          >
            <span>{t('album.review.hideGuest', ofCurrentGuest)}</span>
          </Button>
        </>
      )}
    </div>
  )
}

const NothingToReview = ({ review: { preparingCount, reviewedCount } }: { review: Review }) => {
  const t = useText()
  if (preparingCount > 0)
    return (
      <EmptyState title={t('album.review.preparing', { count: preparingCount })}>
        <p>{t('album.review.empty.hint')}</p>
      </EmptyState>
    )
  return (
    <EmptyState title={t('album.review.empty')}>
      <p>{t(reviewedCount > 0 ? 'album.review.empty.done' : 'album.review.empty.hint')}</p>
    </EmptyState>
  )
}

const ReviewContent = ({ review, onLinkFailed }: { review: Review; onLinkFailed: () => void }) => {
  const t = useText()
  const { current, upcoming, waitingCount, preparingCount, reviewedCount, announcement } = review
  useReviewKeys(review)
  useEffect(() => preloadPictures(upcoming.map(findPreloadUrl)), [upcoming])
  // The buttons are removed with the last upload.
  const { target, within } = useKeepFocus<HTMLDivElement>()
  const total = reviewedCount + waitingCount
  const counts = { waiting: waitingCount, reviewed: reviewedCount }
  return (
    <div ref={target} tabIndex={-1} className={styles.review} {...within}>
      <div className={styles.progress}>
        <p>
          {preparingCount > 0
            ? t('album.review.countsPreparing', { ...counts, preparing: preparingCount })
            : t('album.review.counts', counts)}
        </p>
        {total > 0 && (
          <ProgressBar label={t('album.review.progress')} value={(100 * reviewedCount) / total} />
        )}
      </div>
      <p role="status" className={hidden.visuallyHidden}>
        {announcement}
      </p>
      {current ? (
        <Stage review={review} upload={current} onLinkFailed={onLinkFailed} />
      ) : (
        <NothingToReview review={review} />
      )}
      {(current !== undefined || review.canUndo) && <Actions review={review} />}
      {current && <p className={styles.hint}>{t('album.review.keys')}</p>}
    </div>
  )
}

interface Props {
  uploads: Uploads
  calls: ModerationCalls
}

const LoadedReview = ({ uploads, calls }: Props) => {
  const review = useReview(useModeration({ uploads, calls }))
  return <ReviewContent review={review} onLinkFailed={uploads.renewLinks} />
}

const Loading = () => {
  const t = useText()
  return (
    <>
      <p role="status" className={hidden.visuallyHidden}>
        {t('album.loading')}
      </p>
      <Skeleton height="60vh" radius="14px" />
    </>
  )
}

/** The uploads that wait for approval, one at a time, for hundreds of them in a few minutes. */
export const ReviewScreen = ({ uploads, calls }: Props) => {
  const t = useText()
  if (uploads.status === 'pending') return <Loading />
  if (uploads.status === 'error')
    return (
      <LoadFailed
        title={t('album.loadFailed')}
        text={getFailureText(uploads.error)}
        onRetry={uploads.retry}
      />
    )
  return <LoadedReview uploads={uploads} calls={calls} />
}
