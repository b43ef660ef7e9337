import { Scraps } from '@confetti/ui/scraps'
import styles from './poster.module.css'

interface Props {
  name: string
  qrCode: string
  link: string
}

/** What prints instead of the page that it is on: one sheet for the wall of the event. */
export const Poster = ({ name, qrCode, link }: Props) => (
  <div className={styles.poster} aria-hidden="true">
    <Scraps className={styles.scraps} />
    <p className={styles.name}>{name}</p>
    <p className={styles.ask}>Share your photos and videos</p>
    <img src={qrCode} alt="" className={styles.code} />
    <p>Scan the code with your phone’s camera. No app, no account.</p>
    <p className={styles.link}>{link}</p>
  </div>
)
