import { useEffect, useRef, type ReactNode } from 'react'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { messageOf } from '@confetti/api-client'
import type { Upload } from '@confetti/contracts'
import { Button } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { notifyError } from '@confetti/ui/notify'
import { Skeleton } from '@confetti/ui/skeleton'
import styles from './album.module.css'
import { Gallery } from './gallery.tsx'
import { useGrid } from './use-grid.ts'
import type { Uploads } from './use-uploads.tsx'

/** How many files there are and from how many guests, in words. */
export const albumSize = (uploads: readonly Upload[]): string => {
  if (uploads.length === 0) return 'no files yet'
  const guests = new Set(uploads.map(({ photoCredit }) => photoCredit)).size
  const files = `${uploads.length} ${uploads.length === 1 ? 'file' : 'files'}`
  return `${files} from ${guests} ${guests === 1 ? 'guest' : 'guests'}`
}

const COMING = 8

/** The grid as it will be, so that nothing moves when the uploads come. */
const Waiting = () => {
  const place = useRef<HTMLDivElement>(null)
  const { columns, cardHeight, gap } = useGrid(place)
  return (
    <div
      ref={place}
      className={styles.coming}
      style={{ gridTemplateColumns: `repeat(${columns}, 1fr)`, gap }}
    >
      <p role="status" className={styles.loading}>
        Loading uploads...
      </p>
      {Array.from({ length: COMING }, (_, index) => (
        <Skeleton key={index} height={`${cardHeight}px`} radius="14px" />
      ))}
    </div>
  )
}

const Failed = ({ message, onRetry }: { message: string; onRetry: () => void }) => {
  useEffect(() => notifyError(message), [message])
  return (
    <EmptyState title="The uploads could not be loaded.">
      <p>{message}</p>
      <Button icon={<RotateCw size={20} aria-hidden />} onClick={onRetry}>
        Retry
      </Button>
    </EmptyState>
  )
}

interface Props {
  uploads: Uploads
  /** What to do when nothing has been uploaded yet. */
  whenEmpty: ReactNode
  onDelete?: (upload: Upload) => void
  leaving?: ReadonlySet<string>
}

/** The uploads of an event: while they load, when they cannot be had, when there are none, and as a gallery. */
export const Album = ({ uploads, whenEmpty, onDelete, leaving }: Props) => {
  if (uploads.status === 'loading') return <Waiting />
  if (uploads.status === 'failed')
    return <Failed message={messageOf(uploads.error)} onRetry={uploads.retry} />
  if (uploads.uploads.length === 0)
    return <EmptyState title="No uploads found for this event.">{whenEmpty}</EmptyState>
  return (
    <Gallery
      uploads={uploads.uploads}
      arrived={uploads.arrived}
      refresh={uploads.refresh}
      onDelete={onDelete}
      leaving={leaving}
    />
  )
}
