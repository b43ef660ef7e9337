import { Features } from '../features/landing/features.tsx'
import { Hero } from '../features/landing/hero.tsx'
import { LandingFooter } from '../features/landing/landing-footer.tsx'
import { LandingHeader } from '../features/landing/landing-header.tsx'
import { Steps } from '../features/landing/steps.tsx'
import { useScrollToHash } from '../features/landing/use-scroll-to-hash.ts'
import { SendingNotice } from '../features/upload/sending-notice.tsx'

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
