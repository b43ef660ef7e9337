import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import * as Popover from '@radix-ui/react-popover'
import styles from './menu.module.css'
import popover from './popover.module.css'

export interface MenuItem {
  label: string
  icon?: ReactNode
  /** Looks like an action that deletes something. */
  isDestructive?: boolean
  onSelect: () => void
}

interface Props {
  /** The accessible name of the list of actions. */
  label: string
  items: readonly MenuItem[]
  /** Shown below the actions. */
  note?: ReactNode
  /** The button that opens it. */
  children: ReactNode
  /** The side of the button that the list begins at. */
  align?: 'start' | 'end'
}

/** Moves the focus between the actions by the arrow keys, Home and End. */
const moveFocus = (event: KeyboardEvent<HTMLElement>): void => {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.findIndex((button) => button === document.activeElement)
  const targets: Partial<Record<string, number>> = {
    ArrowDown: (index + 1) % buttons.length,
    ArrowUp: (index - 1 + buttons.length) % buttons.length,
    Home: 0,
    End: buttons.length - 1,
  }
  const target = targets[event.key]
  if (target === undefined) return
  event.preventDefault()
  buttons[target]?.focus()
}

/**
 * A button that opens a list of actions. On close the focus returns to the button, unless an action has moved it. `children`
 * is a single element that takes the props of a button.
 */
export const Menu = ({ label, items, note, children, align = 'start' }: Props) => {
  const [isOpen, setIsOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger ref={trigger} asChild>
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={`${popover.popover} ${styles.menu}`}
          onKeyDown={moveFocus}
          onCloseAutoFocus={(event) => {
            if (document.activeElement !== document.body) event.preventDefault()
          }}
        >
          <ul>
            {items.map(({ label: text, icon, isDestructive = false, onSelect }) => (
              <li key={text}>
                <button
                  type="button"
                  className={`${styles.item} ${isDestructive ? styles.destructive : ''}`}
                  onClick={() => {
                    // Before the action: a dialog that it opens returns the focus to where it was.
                    trigger.current?.focus({ preventScroll: true })
                    setIsOpen(false)
                    onSelect()
                  }}
                >
                  {icon}
                  {text}
                </button>
              </li>
            ))}
          </ul>
          {note && <p className={styles.note}>{note}</p>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
