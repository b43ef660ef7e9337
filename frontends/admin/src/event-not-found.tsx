import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useText } from './texts.ts'

/** Shown by every page of an event if the event does not exist. */
export const EventNotFound = () => {
  const t = useText()
  return (
    <EmptyState as="h1" title={t('admin.eventNotFound')}>
      <p>{t('admin.eventNotFound.hint')}</p>
      <Link to="/events" className={buttonClass({ variant: 'secondary' })}>
        {t('admin.eventNotFound.events')}
      </Link>
    </EmptyState>
  )
}
