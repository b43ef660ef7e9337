import { useRef, type ReactNode } from 'react'
import * as Dialog from '@radix-ui/react-alert-dialog'
import { Button } from './button.tsx'
import { useText } from './texts.ts'
import styles from './confirm-dialog.module.css'

interface Props {
  open: boolean
  title: string
  /** What happens on confirmation. */
  text: string
  confirmLabel: string
  cancelLabel?: string
  /** The action is running, so it cannot be confirmed again. */
  busy?: boolean
  /** Whether what `children` ask for is done, so that the action can be confirmed. */
  confirmable?: boolean
  /** Shown below the text. */
  children?: ReactNode
  onConfirm: () => void
  /** Also called on Escape and on a click outside. */
  onCancel: () => void
}

/**
 * Asks for confirmation before an action that cannot be undone. On close the focus returns to the element that had it,
 * or to the page if that element is gone.
 */
export const ConfirmDialog = ({
  open,
  title,
  text,
  confirmLabel,
  cancelLabel,
  busy = false,
  confirmable = true,
  children,
  onConfirm,
  onCancel,
}: Props) => {
  const t = useText()
  const opener = useRef<Element>(null)
  const isDisabled = busy || !confirmable

  const returnFocus = (event: Event): void => {
    event.preventDefault()
    const target = opener.current?.isConnected ? opener.current : document.querySelector('main')
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }

  return (
    <Dialog.Root open={open} onOpenChange={(nextOpen) => !nextOpen && onCancel()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} onClick={onCancel} />
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
          {children}
          <div className={styles.actions}>
            <Dialog.Cancel asChild>
              <Button variant="outline">{cancelLabel ?? t('common.cancel')}</Button>
            </Dialog.Cancel>
            {/* Not `disabled`: a disabled button loses the focus, and Escape would no longer close the dialog. */}
            <Button
              variant="danger"
              aria-disabled={isDisabled}
              className={isDisabled ? styles.disabled : ''}
              onClick={() => {
                if (!isDisabled) onConfirm()
              }}
            >
              {confirmLabel}
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
