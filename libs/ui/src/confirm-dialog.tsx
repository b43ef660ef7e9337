import { useRef } from 'react'
import * as Dialog from '@radix-ui/react-alert-dialog'
import { Button } from './button.tsx'
import styles from './confirm-dialog.module.css'

interface Props {
  open: boolean
  title: string
  /** What will happen. */
  text: string
  confirm: string
  cancel?: string
  /** The deed is under way: it cannot be asked for again. */
  busy?: boolean
  onConfirm: () => void
  /** Also for Escape and a press outside. */
  onCancel: () => void
}

/** Asks before something that cannot be undone. Focus goes back to where it was, or to the page if that is gone. */
export const ConfirmDialog = ({
  open,
  title,
  text,
  confirm,
  cancel = 'Cancel',
  busy = false,
  onConfirm,
  onCancel,
}: Props) => {
  const opener = useRef<Element>(null)

  const returnFocus = (event: Event): void => {
    event.preventDefault()
    const to = opener.current?.isConnected ? opener.current : document.querySelector('main')
    if (to instanceof HTMLElement) to.focus({ preventScroll: true })
  }

  return (
    <Dialog.Root open={open} onOpenChange={(wanted) => !wanted && onCancel()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.shade} onClick={onCancel} />
        <Dialog.Content
          className={styles.dialog}
          aria-busy={busy}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={returnFocus}
        >
          <Dialog.Title className={styles.title}>{title}</Dialog.Title>
          <Dialog.Description className={styles.text}>{text}</Dialog.Description>
          <div className={styles.actions}>
            <Dialog.Cancel asChild>
              <Button look="line">{cancel}</Button>
            </Dialog.Cancel>
            {/* Truly disabled it would lose the focus, and the dialog's keys with it. */}
            <Button
              look="danger"
              aria-disabled={busy}
              className={busy ? styles.busy : ''}
              onClick={() => {
                if (!busy) onConfirm()
              }}
            >
              {confirm}
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
