import type { ReactNode } from 'react'
import { Card } from '@confetti/ui/card'
import { useText, type OwnerTextId } from '../../owner-texts.ts'
import { RevealOnScroll } from './reveal-on-scroll.tsx'
import { CloudPicture, InstantPicture, LinkPicture } from './feature-pictures.tsx'
import styles from './features.module.css'

const features: readonly { name: OwnerTextId; text: OwnerTextId; picture: ReactNode }[] = [
  {
    name: 'landing.features.instant',
    text: 'landing.features.instant.text',
    picture: <InstantPicture />,
  },
  { name: 'landing.features.storage', text: 'landing.features.storage.text', picture: <CloudPicture /> },
  {
    name: 'landing.features.links',
    text: 'landing.features.links.text',
    picture: <LinkPicture />,
  },
]

export const Features = () => {
  const t = useText()
  return (
    <section id="features" tabIndex={-1} aria-labelledby="features-title" className={styles.features}>
      <h2 id="features-title">{t('landing.features')}</h2>
      <ul className={styles.list}>
        {features.map(({ name, text, picture }, index) => (
          <RevealOnScroll key={name} index={index} className={styles.item}>
            <Card flush className={styles.card}>
              {picture}
              <div className={styles.text}>
                <h3>{t(name)}</h3>
                <p>{t(text)}</p>
              </div>
            </Card>
          </RevealOnScroll>
        ))}
      </ul>
    </section>
  )
}
