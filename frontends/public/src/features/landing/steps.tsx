import { useText, type OwnerTextId } from '../../owner-texts.ts'
import { RevealOnScroll } from './reveal-on-scroll.tsx'
import styles from './steps.module.css'

const steps: readonly { name: OwnerTextId; text: OwnerTextId }[] = [
  {
    name: 'landing.steps.create',
    text: 'landing.steps.create.text',
  },
  {
    name: 'landing.steps.upload',
    text: 'landing.steps.upload.text',
  },
  {
    name: 'landing.steps.manage',
    text: 'landing.steps.manage.text',
  },
]

export const Steps = () => {
  const t = useText()
  return (
    <section id="how-it-works" tabIndex={-1} aria-labelledby="steps-title" className={styles.steps}>
      <div className={styles.inner}>
        <h2 id="steps-title">{t('landing.steps')}</h2>
        <ol className={styles.list}>
          {steps.map(({ name, text }, index) => (
            <RevealOnScroll key={name} index={index} className={styles.step}>
              <span className={styles.number}>{index + 1}</span>
              <div>
                <h3>{t(name)}</h3>
                <p>{t(text)}</p>
              </div>
            </RevealOnScroll>
          ))}
        </ol>
      </div>
    </section>
  )
}
