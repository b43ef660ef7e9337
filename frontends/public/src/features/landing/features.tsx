import type { ReactNode } from 'react'
import { Card } from '@confetti/ui/card'
import { RevealOnScroll } from './reveal-on-scroll.tsx'
import { CloudPicture, InstantPicture, LinkPicture } from './feature-pictures.tsx'
import styles from './features.module.css'

const features: readonly { name: string; text: string; picture: ReactNode }[] = [
  {
    name: 'Instant Uploads',
    text: 'From the dance floor to the album in seconds.',
    picture: <InstantPicture />,
  },
  { name: 'Cloud Storage', text: 'Every original kept, bit for bit.', picture: <CloudPicture /> },
  {
    name: 'Event-Specific Links',
    text: 'One code, one event, one place for it all.',
    picture: <LinkPicture />,
  },
]

export const Features = () => (
  <section id="features" tabIndex={-1} aria-labelledby="features-title" className={styles.features}>
    <h2 id="features-title">Features</h2>
    <ul className={styles.list}>
      {features.map(({ name, text, picture }, index) => (
        <RevealOnScroll key={name} index={index} className={styles.item}>
          <Card flush className={styles.card}>
            {picture}
            <div className={styles.text}>
              <h3>{name}</h3>
              <p>{text}</p>
            </div>
          </Card>
        </RevealOnScroll>
      ))}
    </ul>
  </section>
)
