import { useEffect, useRef, useState } from 'react'
import type { Contact } from '@confetti/contracts'
import { Link } from '@confetti/federation/router'
import { Button, buttonClass } from '@confetti/ui/button'
import { EmptyState } from '@confetti/ui/empty-state'
import { notifyError } from '@confetti/ui/notify'
import { ContactCard, ContactSkeleton } from './contact-card.tsx'
import styles from './contact-list.module.css'
import { fetchContacts } from './contacts-api.ts'

const FAILED = 'Failed to fetch contact messages.'

type State = 'loading' | 'failed' | readonly Contact[]

const Shown = ({ state, onRetry }: { state: State; onRetry: () => void }) => {
  if (state === 'loading')
    return (
      <div className={styles.list}>
        <ContactSkeleton />
        <ContactSkeleton />
        <ContactSkeleton />
      </div>
    )
  if (state === 'failed')
    return (
      <EmptyState title="The messages did not come.">
        <p>The connection may be bad. Nothing is lost.</p>
        <Button onClick={onRetry}>Retry</Button>
      </EmptyState>
    )
  if (state.length === 0)
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
      {state.map((contact) => (
        <ContactCard key={contact._id} contact={contact} />
      ))}
    </ul>
  )
}

export const ContactList = () => {
  const [state, setState] = useState<State>('loading')
  const [attempt, setAttempt] = useState(0)
  const region = useRef<HTMLElement>(null)

  useEffect(() => {
    const leaving = new AbortController()
    fetchContacts(leaving.signal).then(setState, () => {
      if (leaving.signal.aborted) return
      setState('failed')
      notifyError(FAILED)
    })
    return () => leaving.abort()
  }, [attempt])

  const retry = (): void => {
    setState('loading')
    setAttempt(attempt + 1)
    // The button goes; the keyboard stays where the messages come.
    region.current?.focus()
  }

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Messages"
      aria-busy={state === 'loading'}
      className={styles.region}
    >
      <Shown state={state} onRetry={retry} />
    </section>
  )
}
