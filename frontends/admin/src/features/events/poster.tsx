import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import styles from './poster.module.css'

interface Props {
  name: string
  qrCode: string
  link: string
}

/** A one-page poster, printed instead of the page that contains it. */
export const Poster = ({ name, qrCode, link }: Props) => (
  <div className={styles.poster} aria-hidden="true">
    <ConfettiDecoration className={styles.scraps} />
    <p className={styles.name}>{name}</p>
    <p className={styles.invitation}>Share your photos and videos</p>
    <img src={qrCode} alt="" className={styles.code} />
    <p>Scan the code with your phone’s camera. No app, no account.</p>
    <p className={styles.link}>{link}</p>
  </div>
)
