import { Arriving } from './arriving.tsx'
import styles from './steps.module.css'

const steps: readonly { name: string; text: string }[] = [
  {
    name: 'Generate QR Code',
    text: 'Every event has a code and a link of its own. Put it on the tables, or send it round.',
  },
  {
    name: 'Scan and Upload',
    text: 'Guests point their camera at it, choose photos and videos, and send them. That is all.',
  },
  {
    name: 'View and Manage',
    text: 'Watch the pictures come in, and take them all home as a zip the morning after.',
  },
]

export const Steps = () => (
  <section id="how-it-works" tabIndex={-1} aria-labelledby="steps-title" className={styles.steps}>
    <div className={styles.inner}>
      <h2 id="steps-title">How It Works</h2>
      <ol className={styles.list}>
        {steps.map(({ name, text }, index) => (
          <Arriving key={name} index={index} className={styles.step}>
            <span className={styles.number}>{index + 1}</span>
            <div>
              <h3>{name}</h3>
              <p>{text}</p>
            </div>
          </Arriving>
        ))}
      </ol>
    </div>
  </section>
)
