import { Link } from '@confetti/federation/router'
import { buttonClass } from '@confetti/ui/button'
import { HeroPicture } from './hero-picture.tsx'
import styles from './hero.module.css'

export const Hero = () => (
  <section className={styles.hero}>
    <div className={styles.text}>
      <h1>
        QR <span>Code-Based</span> Image Upload System
      </h1>
      <p>Seamless event-based photo sharing — no apps required. Just scan, click, and upload.</p>
      <Link to="/register" className={buttonClass({ size: 'large' })}>
        Register Now
      </Link>
    </div>
    <HeroPicture className={styles.picture} />
  </section>
)
