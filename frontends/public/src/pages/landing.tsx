import { Features } from '../features/landing/features.tsx'
import { Hero } from '../features/landing/hero.tsx'
import { LandingFooter } from '../features/landing/landing-footer.tsx'
import { LandingHeader } from '../features/landing/landing-header.tsx'
import { Steps } from '../features/landing/steps.tsx'
import { useNamedSection } from '../features/landing/use-named-section.ts'

export const Landing = () => {
  useNamedSection()
  return (
    <>
      <LandingHeader />
      <main>
        <Hero />
        <Features />
        <Steps />
      </main>
      <LandingFooter />
    </>
  )
}
