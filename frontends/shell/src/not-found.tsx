import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { useText } from './texts.ts'
import { useTitle } from './use-title.ts'

export const NotFound = () => {
  const t = useText()
  useTitle(t('shell.notFound.title'))
  return (
    <EmptyState as="h1" title={t('shell.notFound.title')}>
      <p>{t('shell.notFound.text')}</p>
      <Link className={buttonClass()} to="/">
        {t('common.home')}
      </Link>
    </EmptyState>
  )
}
