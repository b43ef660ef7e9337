import { useState } from 'react'
import { useText } from '../../texts.ts'
import styles from './description.module.css'

const MAX_CHARACTERS = 200
const MAX_LINES = 4

/** The description of an event. A long one is shortened, with a button to show all of it. */
export const Description = ({ text }: { text: string }) => {
  const t = useText()
  const [isExpanded, setIsExpanded] = useState(false)
  const isLong = text.length > MAX_CHARACTERS || text.split('\n').length > MAX_LINES
  return (
    <div>
      <p dir="auto" className={`${styles.text} ${isLong && !isExpanded ? styles.shortened : ''}`}>
        {text}
      </p>
      {isLong && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded((before) => !before)}
        >
          {t(isExpanded ? 'common.showLess' : 'common.showMore')}
        </button>
      )}
    </div>
  )
}
