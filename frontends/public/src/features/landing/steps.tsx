import { RevealOnScroll } from './reveal-on-scroll.tsx'
import styles from './steps.module.css'

const steps: readonly { name: string; text: string }[] = [
  {
    name: 'Generate QR Code',
    text: 'Every event has its own QR code and link. Put the code on the tables, or share the link.',
  },
  {
    name: 'Scan and Upload',
    text: "Guests scan the code with their camera, choose photos and videos, and upload them. That's it.",
  },
  {
    name: 'View and Manage',
    text: 'Watch the photos come in, and download them all as a ZIP the morning after.',
  },
]

export const Steps = () => (
  <section id="how-it-works" tabIndex={-1} aria-labelledby="steps-title" className={styles.steps}>
    <div className={styles.inner}>
      <h2 id="steps-title">How It Works</h2>
      <ol className={styles.list}>
        {steps.map(({ name, text }, index) => (
          <RevealOnScroll key={name} index={index} className={styles.step}>
            <span className={styles.number}>{index + 1}</span>
            <div>
              <h3>{name}</h3>
              <p>{text}</p>
            </div>
          </RevealOnScroll>
        ))}
      </ol>
    </div>
  </section>
)
