import hidden from '@confetti/ui/visually-hidden.module.css'
import { useText } from '../../texts.ts'

interface Props {
  /** How many match a search; undefined while it is not known, and without a search. */
  count: number | undefined
  /** Whether more may match. */
  hasMore?: boolean
}

/** Tells screen readers how many results a search has. */
export const FoundCount = ({ count, hasMore = false }: Props) => {
  const t = useText()
  return (
    <p role="status" className={hidden.visuallyHidden}>
      {count !== undefined && t(hasMore ? 'admin.list.foundFirst' : 'admin.list.found', { count })}
    </p>
  )
}
