import { useRef } from 'react'
import type { Contact } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { notifyError } from '@confetti/ui/notify'
import { useAnswer, type Answer } from '../../use-answer.ts'
import { ContactCard, ContactSkeleton } from './contact-card.tsx'
import styles from './contact-list.module.css'
import { fetchContacts } from './contacts-api.ts'

const say = (): void => notifyError('Failed to fetch contact messages.')

interface Props {
  answer: Answer<readonly Contact[]>
  onRetry: () => void
}

const Shown = ({ answer, onRetry }: Props) => {
  if (answer.status === 'waiting')
    return (
      <div className={styles.list}>
        <ContactSkeleton />
        <ContactSkeleton />
        <ContactSkeleton />
      </div>
    )
  if (answer.status === 'failed')
    return (
      <EmptyState title="The messages did not come.">
        <p>The connection may be bad. Nothing is lost.</p>
        <Button onClick={onRetry}>Retry</Button>
      </EmptyState>
    )
  if (answer.value.length === 0)
    return (
      <EmptyState title="No contact messages found.">
        <p>
          What organisers write under Contact Admin comes here. You can make an event for them at any time.
        </p>
        <Link to="/events/create" className={buttonClass()}>
          Create an event
        </Link>
      </EmptyState>
    )
  return (
    <ul className={styles.list}>
      {answer.value.map((contact) => (
        <ContactCard key={contact._id} contact={contact} />
      ))}
    </ul>
  )
}

export const ContactList = () => {
  const { retry, ...answer } = useAnswer(fetchContacts, say)
  const region = useRef<HTMLElement>(null)

  const retryHere = (): void => {
    retry()
    // The button goes; the keyboard stays where the messages come.
    region.current?.focus()
  }

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Messages"
      aria-busy={answer.status === 'waiting'}
      className={styles.region}
    >
      <Shown answer={answer} onRetry={retryHere} />
    </section>
  )
}
