import { useState, type ReactNode } from 'react'
import * as Radix from '@radix-ui/react-tabs'
import styles from './tabs.module.css'

interface Props<T extends string> {
  /** What the tabs choose among. */
  label: string
  tabs: readonly { value: T; name: string; content: ReactNode }[]
  value: T
  onChange: (value: T) => void
}

/** Tabs: arrow keys go among them, Enter chooses. A tab's content is made when it is first chosen, and then kept. */
export const Tabs = <T extends string>({ label, tabs, value, onChange }: Props<T>) => {
  const [shown, setShown] = useState([value])
  if (!shown.includes(value)) setShown([...shown, value])
  return (
    <Radix.Root activationMode="manual" value={value} onValueChange={(chosen) => onChange(chosen as T)}>
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
          {shown.includes(tab.value) && tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
