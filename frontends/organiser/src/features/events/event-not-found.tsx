import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useText } from '../../texts.ts'

/** Shown by every page of an event that does not exist, or that is not the organiser's. */
export const EventNotFound = () => {
  const t = useText()
  return (
    <EmptyState as="h1" title={t('organiser.notFound.title')}>
      <p>{t('organiser.notFound.text')}</p>
      <Link to="/myevents" className={buttonClass({ variant: 'secondary' })}>
        {t('organiser.notFound.link')}
      </Link>
    </EmptyState>
  )
}
