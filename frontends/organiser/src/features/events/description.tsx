import { useState } from 'react'
import styles from './description.module.css'

const LONG_CHARACTERS = 200
const LONG_LINES = 4

/** What an event is about; of a long text the beginning, and the way to the rest. */
export const Description = ({ text }: { text: string }) => {
  const [whole, setWhole] = useState(false)
  const long = text.length > LONG_CHARACTERS || text.split('\n').length > LONG_LINES
  return (
    <div>
      <p className={`${styles.text} ${long && !whole ? styles.cut : ''}`}>{text}</p>
      {long && (
        <button
          type="button"
          className={styles.more}
          aria-expanded={whole}
          onClick={() => setWhole((before) => !before)}
        >
          {whole ? 'Show less' : 'Read all'}
        </button>
      )}
    </div>
  )
}
