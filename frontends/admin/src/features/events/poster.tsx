import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { useText } from '../../texts.ts'
import styles from './poster.module.css'

interface Props {
  name: string
  qrCode: string
  link: string
}

/** A one-page poster, printed instead of the page that contains it. */
export const Poster = ({ name, qrCode, link }: Props) => {
  const t = useText()
  return (
    <div className={styles.poster} aria-hidden="true">
      <ConfettiDecoration className={styles.scraps} />
      <p className={styles.name}>
        <bdi>{name}</bdi>
      </p>
      <p className={styles.invitation}>{t('admin.events.poster.invitation')}</p>
      <img src={qrCode} alt="" className={styles.code} />
      <p>{t('admin.events.poster.scan')}</p>
      <p className={styles.link}>
        <bdi>{link}</bdi>
      </p>
    </div>
  )
}
