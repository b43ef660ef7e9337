import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { Link, useLocation } from '@confetti/federation/router'
import { site } from '@confetti/session'
import { buttonClass } from '@confetti/ui/button'
import { Card } from '@confetti/ui/card'
import { Logo } from '@confetti/ui/logo'
import { CodeForm } from '../features/landing/code-form.tsx'
import { LandingHeader } from '../features/landing/landing-header.tsx'
import {
  CloudPicture,
  HeroPicture,
  InstantPicture,
  LinkPicture,
} from '../features/landing/landing-pictures.tsx'
import { SendingNotice } from '../features/upload/sending-status.tsx'
import { useText, type OwnerTextId } from '../owner-texts.ts'
import styles from './landing.module.css'

/** Scrolls to the section in the URL's hash (`/#features`) and focuses it, also when its link is clicked again. */
const useScrollToHash = (): void => {
  const { hash, key } = useLocation()
  useLayoutEffect(() => {
    const section = document.getElementById(hash.slice(1))
    section?.scrollIntoView()
    section?.focus({ preventScroll: true })
  }, [hash, key])
}

interface Props {
  /** The index in the list, from 0. Each item is animated 0.2 s after the previous one. */
  index: number
  className: string | undefined
  children: ReactNode
}

/**
 * A list item that is tilted until it is scrolled into view, and then animated into place. It is visible before, so that
 * the page can be read without an IntersectionObserver.
 */
const RevealOnScroll = ({ index, className = '', children }: Props) => {
  const item = useRef<HTMLLIElement>(null)
  const [isRevealed, setIsRevealed] = useState(() => !('IntersectionObserver' in window))

  useEffect(() => {
    if (!item.current || isRevealed) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsRevealed(true)
      },
      { threshold: 0.25 },
    )
    observer.observe(item.current)
    return () => observer.disconnect()
  }, [isRevealed])

  return (
    <li
      ref={item}
      className={`${className} ${isRevealed ? styles.revealed : styles.tilted}`}
      style={{ '--delay': `${index * 0.2}s`, '--side': index % 2 === 0 ? -1 : 1 } as CSSProperties}
    >
      {children}
    </li>
  )
}

const Hero = () => {
  const t = useText()
  const [before = '', emphasised = '', after = ''] = t('landing.title').split('*')
  return (
    <section className={styles.hero}>
      <div className={styles.heroText}>
        <h1>
          {before}
          <span>{emphasised}</span>
          {after}
        </h1>
        <p>{t('landing.lead')}</p>
        <Link to="/register" className={buttonClass({ size: 'large' })}>
          {t('landing.register')}
        </Link>
        <CodeForm />
      </div>
      <HeroPicture className={styles.picture} />
    </section>
  )
}

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

const Features = () => {
  const t = useText()
  return (
    <section id="features" tabIndex={-1} aria-labelledby="features-title" className={styles.features}>
      <h2 id="features-title">{t('landing.features')}</h2>
      <ul className={styles.featureList}>
        {features.map(({ name, text, picture }, index) => (
          <RevealOnScroll key={name} index={index} className={styles.item}>
            <Card flush className={styles.card}>
              {picture}
              <div className={styles.featureText}>
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

const Steps = () => {
  const t = useText()
  return (
    <section id="how-it-works" tabIndex={-1} aria-labelledby="steps-title" className={styles.steps}>
      <div className={styles.inner}>
        <h2 id="steps-title">{t('landing.steps')}</h2>
        <ol className={styles.stepList}>
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

const LandingFooter = () => {
  const t = useText()
  return (
    <footer className={styles.footer}>
      <Logo size={28} />
      <p>{t('landing.rights', { year: String(new Date().getFullYear()), brand: site().brand })}</p>
    </footer>
  )
}

export const Landing = () => {
  useScrollToHash()
  return (
    <>
      <LandingHeader />
      <main>
        <Hero />
        <Features />
        <Steps />
      </main>
      <LandingFooter />
      <SendingNotice />
    </>
  )
}
