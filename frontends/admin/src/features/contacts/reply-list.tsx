import type { ContactReply } from '@confetti/contracts'
import { getFormatLocale } from '@confetti/i18n'
import { useText } from '../../texts.ts'
import styles from './reply-list.module.css'

/** The replies to a message, oldest first. */
export const ReplyList = ({ replies }: { replies: readonly ContactReply[] }) => {
  const t = useText()
  return (
    <ul className={styles.list} aria-label={t('admin.contacts.replies')}>
      {replies.map(({ _id, message, createdAt, adminEmail }) => (
        <li key={_id} className={styles.reply}>
          <p className={styles.by}>
            <bdi>{adminEmail || t('admin.contacts.erasedAccount')}</bdi> ·{' '}
            <time dateTime={createdAt}>{new Date(createdAt).toLocaleString(getFormatLocale())}</time>
          </p>
          <p dir="auto" className={styles.message}>
            {message}
          </p>
        </li>
      ))}
    </ul>
  )
}
