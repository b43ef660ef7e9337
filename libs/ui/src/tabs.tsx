import { useState, type ReactNode } from 'react'
import { getDirection, useLocale } from '@confetti/i18n'
import * as Radix from '@radix-ui/react-tabs'
import styles from './tabs.module.css'

interface Props<T extends string> {
  /** The accessible name of the tab list. */
  label: string
  tabs: readonly { value: T; name: string; content: ReactNode }[]
  value: T
  onChange: (value: T) => void
}

/** Tabs: arrow keys move the focus, Enter selects. A tab's content is rendered at its first selection, and then kept. */
export const Tabs = <T extends string>({ label, tabs, value, onChange }: Props<T>) => {
  const [visited, setVisited] = useState([value])
  if (!visited.includes(value)) setVisited([...visited, value])
  const direction = getDirection(useLocale())
  return (
    <Radix.Root
      activationMode="manual"
      dir={direction}
      value={value}
      onValueChange={(selected) => onChange(selected as T)}
    >
      <Radix.List aria-label={label} className={styles.list}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={styles.tab}>
            {tab.name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          forceMount
          hidden={tab.value !== value}
          className={styles.panel}
        >
          {visited.includes(tab.value) && tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
