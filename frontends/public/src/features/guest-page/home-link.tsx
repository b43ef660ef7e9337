import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { useText } from '../../texts.ts'

export const HomeLink = ({ variant = 'outline' }: { variant?: 'outline' | 'primary' }) => {
  const t = useText()
  return (
    <Link className={buttonClass({ variant, size: 'large', wide: true })} to="/">
      {t('common.home')}
    </Link>
  )
}
