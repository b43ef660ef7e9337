import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { useText } from '../../owner-texts.ts'
import { HeroPicture } from './hero-picture.tsx'
import styles from './hero.module.css'

export const Hero = () => {
  const t = useText()
  const [before = '', emphasised = '', after = ''] = t('landing.title').split('*')
  return (
    <section className={styles.hero}>
      <div className={styles.text}>
        <h1>
          {before}
          <span>{emphasised}</span>
          {after}
        </h1>
        <p>{t('landing.lead')}</p>
        <Link to="/register" className={buttonClass({ size: 'large' })}>
          {t('landing.register')}
        </Link>
      </div>
      <HeroPicture className={styles.picture} />
    </section>
  )
}
