import type { ContactReply } from '@confetti/contracts'
import styles from './reply-list.module.css'

/** The replies to a message, oldest first. */
export const ReplyList = ({ replies }: { replies: readonly ContactReply[] }) => (
  <ul className={styles.list} aria-label="Replies">
    {replies.map(({ _id, message, createdAt, adminEmail }) => (
      <li key={_id} className={styles.reply}>
        <p className={styles.by}>
          {adminEmail || 'Erased account'} ·{' '}
          <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
        </p>
        <p className={styles.message}>{message}</p>
      </li>
    ))}
  </ul>
)
