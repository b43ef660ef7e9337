import { createPortal } from 'react-dom'
import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import Printer from 'lucide-react/icons/printer'
import Share2 from 'lucide-react/icons/share-2'
import { formatShortCode } from '@confetti/contracts'
import { Button, ButtonLink, IconButton } from '@confetti/ui/button'
import { ConfettiDecoration } from '@confetti/ui/confetti-decoration'
import { copyText } from '@confetti/ui/copy-text'
import { notifyError } from '@confetti/ui/notify'
import styles from './qr-actions.module.css'
import { getText, useText } from './texts.ts'

interface PosterProps {
  name: string
  image: string
  link: string
}

/** A one-page poster, printed instead of the page. */
const Poster = ({ name, image, link }: PosterProps) => {
  const t = useText()
  return (
    <div className={styles.poster} aria-hidden="true">
      <ConfettiDecoration className={styles.scraps} />
      <p className={styles.name}>
        <bdi>{name}</bdi>
      </p>
      <p className={styles.invitation}>{t('album.qr.poster.invitation')}</p>
      <img src={image} alt="" className={styles.code} />
      <p>{t('album.qr.poster.scan')}</p>
      <p className={styles.link}>
        <bdi>{link}</bdi>
      </p>
    </div>
  )
}

const copy = (text: string, copied: 'album.qr.copied' | 'album.qr.codeCopied'): Promise<void> =>
  copyText(text, getText(copied), () => notifyError(getText('album.qr.copyFailed')))

/** What guests type who cannot scan the QR code, and the short link to the event. */
const ShortCode = ({ code, link }: { code: string; link: string }) => {
  const t = useText()
  const shown = formatShortCode(code)
  const { host, pathname } = new URL(link)
  return (
    <div className={styles.short}>
      <p className={styles.hint}>{t('album.qr.code.hint', { site: host })}</p>
      <dl>
        <div>
          <dt>{t('album.qr.code')}</dt>
          <dd>
            <span dir="ltr" className={styles.shortCode}>
              {shown}
            </span>
            <IconButton
              label={t('album.qr.copyCode')}
              variant="ghost"
              onClick={() => void copy(shown, 'album.qr.codeCopied')}
            >
              <Copy aria-hidden />
            </IconButton>
          </dd>
        </div>
        <div>
          <dt>{t('album.qr.shortLink')}</dt>
          <dd>
            <span dir="ltr">{`${host}${pathname}`}</span>
            <IconButton
              label={t('album.qr.copyShortLink')}
              variant="ghost"
              onClick={() => void copy(link, 'album.qr.copied')}
            >
              <Copy aria-hidden />
            </IconButton>
          </dd>
        </div>
      </dl>
    </div>
  )
}

interface Props {
  /** Of the event. */
  name: string
  /** The link of the event's upload page. */
  link: string
  /** The QR code of the link, as a data URL; undefined until it has been loaded. */
  image: string | undefined
  /** Without the dash; both are absent for minutes in an event of an earlier version. */
  shortCode?: string | undefined
  shortLink?: string | undefined
}

/**
 * Copies and shares the link of an event's upload page, and downloads and prints its QR code. Shows and copies its short code
 * and link.
 */
export const QrActions = ({ name, link, image, shortCode, shortLink }: Props) => {
  const t = useText()
  return (
    <>
      {shortCode && shortLink && <ShortCode code={shortCode} link={shortLink} />}
      <div className={styles.actions}>
        <Button
          variant="secondary"
          icon={<Copy aria-hidden />}
          onClick={() => void copy(link, 'album.qr.copied')}
        >
          {t('album.qr.copy')}
        </Button>
        {'share' in navigator && (
          <Button
            variant="secondary"
            icon={<Share2 aria-hidden />}
            // It also rejects when the user shares nothing.
            onClick={() => void navigator.share({ title: name, url: link }).catch(() => undefined)}
          >
            {t('album.qr.share')}
          </Button>
        )}
        {image !== undefined && (
          <>
            <ButtonLink
              variant="secondary"
              icon={<Download aria-hidden />}
              href={image}
              // The name is no value of the text: marks that isolate it would be in the file name.
              download={`${t('album.qr.fileName')} ${name}.png`}
              aria-label={t('album.qr.downloadLabel')}
            >
              {t('album.download')}
            </ButtonLink>
            <Button variant="secondary" icon={<Printer aria-hidden />} onClick={() => window.print()}>
              {t('album.qr.print')}
            </Button>
            {createPortal(<Poster name={name} image={image} link={link} />, document.body)}
          </>
        )}
      </div>
    </>
  )
}
